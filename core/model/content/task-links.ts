/** What callers link a task as: the parent it gets, and what it blocks, relates to or duplicates. */
export const LINK_TYPES = ['parent', 'blocks', 'relates', 'duplicates'] as const;
/** How a task is linked to another. */
export type LinkType = (typeof LINK_TYPES)[number];

/** How a link reads at its other end. */
const OPPOSITE = {
  parent: 'child',
  child: 'parent',
  blocks: 'blockedBy',
  blockedBy: 'blocks',
  relates: 'relates',
  duplicates: 'duplicatedBy',
  duplicatedBy: 'duplicates',
} as const;

/** How a link reads at one of its ends: `parent` names the parent of the task, `child` one of its children. */
export type LinkEnd = keyof typeof OPPOSITE;

/** In the order in which links are shown. */
export const LINK_ENDS = Object.keys(OPPOSITE) as readonly LinkEnd[];

/** The linked tasks by how the links read at this task, each in the order in which they were linked. None is empty. */
export type TaskLinks = { readonly [End in LinkEnd]?: readonly string[] };

/** Types of links that must not form a cycle. */
export const ACYCLIC: readonly LinkType[] = ['parent', 'blocks'];

/** The most links of one task with the same end, except `parent`: see {@link mostLinks}. */
export const MAX_LINKS = 100;

/** The most links of one task with this end: one parent, 100 of every other. */
export function mostLinks(end: LinkEnd): number {
  return end === 'parent' ? 1 : MAX_LINKS;
}

/** A task may be linked to others. Both ends hold the link. */
export interface HasLinks {
  /** Absent: it is linked to none. */
  readonly links?: TaskLinks;
}

/** How a link reads at its other end. */
export function oppositeOf(end: LinkEnd): LinkEnd {
  return OPPOSITE[end];
}

const NONE: readonly string[] = Object.freeze([]);

/** The ids of the tasks that are linked with this end. */
export function linkedAs({ links }: HasLinks, end: LinkEnd): readonly string[] {
  return links?.[end] ?? NONE;
}

/** Every link of a task. */
export function* linksOf({ links }: HasLinks): IterableIterator<readonly [end: LinkEnd, id: string]> {
  if (links === undefined) return;
  for (const end of LINK_ENDS) for (const id of links[end] ?? NONE) yield [end, id];
}

/** The ids of all tasks that a task is linked to. */
export function linkedIds(task: HasLinks): readonly string[] {
  return Array.from(linksOf(task), ([, id]) => id);
}

/** The links with one more. */
export function withLink(links: TaskLinks | undefined, end: LinkEnd, id: string): TaskLinks {
  return Object.freeze({ ...links, [end]: Object.freeze([...(links?.[end] ?? NONE), id]) });
}

/** The links without one; undefined if none is left. */
export function withoutLink(links: TaskLinks | undefined, end: LinkEnd, id: string): TaskLinks | undefined {
  const { [end]: before = NONE, ...others } = links ?? {};
  const left = before.filter((other) => other !== id);
  const after: TaskLinks = left.length === 0 ? others : { ...others, [end]: Object.freeze(left) };
  return Object.keys(after).length === 0 ? undefined : Object.freeze(after);
}

/** The record with these links; without the field if there are none. */
export function withLinks<T extends HasLinks>(record: T, links: TaskLinks | undefined): T {
  if (links !== undefined) return links === record.links ? record : { ...record, links };
  if (!('links' in record)) return record;
  const { links: _, ...rest } = record;
  return rest as T;
}
