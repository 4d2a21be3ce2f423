export const FULL = 400;
export const EDIT = 300;
export const COMMENT = 200;
export const VIEW = 100;
export const DENIED = 0;

/** The levels of a member on a page, by name. The numbers are part of the interface. */
export const Level = {
  /** Full Access: everything, including deleting and granting access. */
  Full: FULL,
  /** Editing: changing content. */
  Edit: EDIT,
  /** Comment Only: reading and commenting. */
  Comment: COMMENT,
  /** Reading. */
  View: VIEW,
  /** Denied: the page does not exist for the member. */
  Denied: DENIED,
} as const;

export type Level = (typeof Level)[keyof typeof Level];

/** All levels, from the highest down. */
export const LEVELS: readonly Level[] = [FULL, EDIT, COMMENT, VIEW, DENIED];

/** Names for people. */
export const LEVEL_NAMES: Readonly<Record<Level, string>> = {
  400: 'Full Access',
  300: 'Editing',
  200: 'Comment Only',
  100: 'View Only',
  0: 'Denied',
};
