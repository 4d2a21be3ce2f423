/** Segments without escapes, so that a path has one spelling. */
const BASE_PATH = /^(?!.*\/\.{1,2}(?:\/|$))(?:\/[\w.~-]+)*$/;

const MAX_LENGTH = 200;

export const BASE_PATH_FORM = 'empty, or a path such as /tracker without a slash at the end';

/** Whether all paths of a service can begin with it. */
export function isBasePath(text: string): boolean {
  return text.length <= MAX_LENGTH && BASE_PATH.test(text);
}
