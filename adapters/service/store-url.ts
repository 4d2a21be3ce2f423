/**
 * The URL of a store in a form that may be shown: without its password, and without passwords in options of MongoDB.
 * That holds for invalid URLs too. The path of a file is left unchanged.
 */
export function withoutPassword(url: string): string {
  if (url.startsWith('file:')) return url;
  return (
    url
      // A password that is not encoded may hold any of `@`, `/` and `?`.
      .replace(/^([a-z][\w+.-]*:(?:\/\/)?[^/@:?]*):(?:[^?]*|[^@/]*)@/i, '$1:***@')
      .replace(/([?&](?:\w*password|authMechanismProperties)=)[^&#]*/gi, '$1***')
  );
}
