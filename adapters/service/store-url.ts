/**
 * The URL of a store, as it may be shown: without its password, and without those in options of MongoDB. Where it is no
 * URL of a store, it may be meant as one. The path of a file is shown as it is.
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
