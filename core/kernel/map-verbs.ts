/** Maps every verb of a table of nouns and verbs. `name` is `noun.verb`. */
export function mapVerbs<To>(
  nouns: object,
  make: (verb: never, name: string) => To,
): Record<string, Record<string, To>> {
  const mapped = Object.entries(nouns as Record<string, object>).map(([noun, verbs]): [string, Record<string, To>] => [
    noun,
    Object.fromEntries(Object.entries(verbs).map(([verb, value]) => [verb, make(value as never, `${noun}.${verb}`)])),
  ]);
  return Object.fromEntries(mapped);
}
