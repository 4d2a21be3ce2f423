const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d))?$/;

/** The time of an ISO 8601 text, in milliseconds; null for an invalid one, like the 30th of February. */
export function instantOf(text: string): number | null {
  const day = WRITTEN.exec(text)?.[1];
  if (day === undefined) return null;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return null;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? null : instant;
}

/** The day in UTC. */
export function dayOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** Whether the text names a time of day as well. */
export function hasTime(text: string): boolean {
  return text.includes('T') && !text.includes('T00:00:00');
}

/** The creation time in the first four bytes of a Trello id. Null for other ids. */
export function timeOfId(id: string): string | null {
  return /^[0-9a-f]{24}$/.test(id) ? new Date(Number.parseInt(id.slice(0, 8), 16) * 1_000).toISOString() : null;
}
