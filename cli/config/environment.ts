/** Environment variables other than those of settings, with their effects, for the documentation. */
export const ENVIRONMENT: readonly (readonly [names: string, summary: string])[] = [
  ['ESPALIER_PROFILE', 'profile to use'],
  ['XDG_CONFIG_HOME', 'folder of espalier/config.json, the profile file (default: ~/.config)'],
  ['NO_COLOR', 'disable colours'],
  ['FORCE_COLOR', 'use colours even if the output is not a terminal'],
  ['ESPALIER_PAGER, PAGER', 'pager for long output on a terminal; cat disables it'],
  ['VISUAL, EDITOR', 'editor for task edit'],
  ['BROWSER', 'browser for docs'],
  ['ESPALIER_DEBUG', 'show the stack trace of an unexpected error'],
];
