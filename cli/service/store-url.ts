/** The URL of a store without its password. */
export function withoutPassword(url: string): string {
  return url.replace(/^([a-z+]+:\/\/[^/@]*?):[^@/]*@/, '$1:***@');
}
