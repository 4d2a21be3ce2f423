const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d))?$/;

/** The instant that a text names, in milliseconds; null when it names none, like the 30th of February. */
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

/** Trello's ids begin with the second in which they were made. Null for other ids. */
export function timeOfId(id: string): string | null {
  return /^[0-9a-f]{24}$/.test(id) ? new Date(Number.parseInt(id.slice(0, 8), 16) * 1_000).toISOString() : null;
}
