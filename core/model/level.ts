/** What a member may do on a page. The numbers are part of the interface. */
export type Level = 0 | 100 | 200 | 300 | 400;

export const FULL = 400;
export const EDIT = 300;
export const COMMENT = 200;
export const VIEW = 100;
export const DENIED = 0;

export const LEVELS: readonly Level[] = [FULL, EDIT, COMMENT, VIEW, DENIED];

export const LEVEL_NAMES: Readonly<Record<Level, string>> = {
  400: 'Full Access',
  300: 'Editing',
  200: 'Comment Only',
  100: 'View Only',
  0: 'Denied',
};
