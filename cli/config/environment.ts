/** The variables of the environment besides those of settings, for the documents: names, and what they do. */
export const ENVIRONMENT: readonly (readonly [names: string, summary: string])[] = [
  ['ESPALIER_PROFILE', 'the profile to take settings from'],
  ['XDG_CONFIG_HOME', 'the folder of espalier/config.json, which has the profiles; ~/.config unless set'],
  ['NO_COLOR', 'print without colours'],
  ['FORCE_COLOR', 'print with colours where the output is no terminal too'],
  ['ESPALIER_PAGER, PAGER', 'what long output goes through on a terminal; cat: nothing'],
  ['VISUAL, EDITOR', 'what task edit opens'],
  ['BROWSER', 'what docs opens'],
  ['ESPALIER_DEBUG', 'show where an error happened that was not expected'],
];
