/** Trello's label colours in CSS. */
const CSS: Readonly<Record<string, string>> = {
  green: 'green',
  green_light: 'lightgreen',
  green_dark: 'darkgreen',
  yellow: 'yellow',
  yellow_light: 'lightyellow',
  yellow_dark: 'gold',
  orange: 'orange',
  orange_light: 'navajowhite',
  orange_dark: 'darkorange',
  red: 'red',
  red_light: 'lightcoral',
  red_dark: 'darkred',
  purple: 'purple',
  purple_light: 'plum',
  purple_dark: 'indigo',
  blue: 'blue',
  blue_light: 'lightblue',
  blue_dark: 'darkblue',
  sky: 'skyblue',
  sky_light: 'lightskyblue',
  sky_dark: 'deepskyblue',
  lime: 'lime',
  lime_light: 'palegreen',
  lime_dark: 'limegreen',
  pink: 'pink',
  pink_light: 'lightpink',
  pink_dark: 'deeppink',
  black: 'black',
  black_light: 'gray',
  black_dark: 'darkslategray',
};

export const NO_COLOUR = 'gray';

/** Undefined for a colour that Trello did not have when this was written. */
export function cssColour(trello: string): string | undefined {
  return Object.hasOwn(CSS, trello) ? CSS[trello] : undefined;
}

/** `sky_dark` as people read it. */
export function spokenColour(trello: string): string {
  return trello.replaceAll('_', ' ');
}
