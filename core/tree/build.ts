import type { Member } from '../model/member.ts';
import type { Page } from '../model/page.ts';
import type { Workspace } from '../model/workspace.ts';
import { memoizeByChange } from './memoize-change.ts';
import { LayeredMap } from './layered-map.ts';
import { removalOf } from './removal.ts';
import type { Structure } from '../model/structure.ts';

interface Parts {
  readonly workspace: Workspace;
  readonly revision: number;
  readonly members: LayeredMap<Member>;
  readonly membersOfUsers: LayeredMap<Member>;
  readonly pages: LayeredMap<Page>;
  readonly children: LayeredMap<readonly Page[]>;
}

const TOP = '';

/** A structure held in memory as a whole. O(n log n). */
export function buildStructure(
  workspace: Workspace,
  revision: number,
  members: Iterable<Member>,
  pages: Iterable<Page>,
): Structure {
  const byId = new Map<string, Member>();
  const byUser = new Map<string, Member>();
  for (const member of members) {
    byId.set(member.id, member);
    byUser.set(member.userId, member);
  }
  const pagesById = new Map<string, Page>();
  const children = new Map<string, Page[]>();
  for (const page of pages) {
    pagesById.set(page.id, page);
    const siblings = children.get(page.parentId ?? TOP);
    if (siblings === undefined) children.set(page.parentId ?? TOP, [page]);
    else siblings.push(page);
  }
  for (const siblings of children.values()) siblings.sort(bySiblingOrder);
  dropUnreachable(pagesById, children);
  return new WholeStructure({
    workspace,
    revision,
    members: new LayeredMap(byId),
    membersOfUsers: new LayeredMap(byUser),
    pages: new LayeredMap(pagesById),
    children: new LayeredMap(children),
  });
}

/** Descendants of a removed page stay stored until they are swept, but are unreachable. */
function dropUnreachable(pages: Map<string, Page>, children: Map<string, Page[]>): void {
  const reached = new Set<string>();
  const waiting = [TOP];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const { id } of children.get(at) ?? []) {
      reached.add(id);
      waiting.push(id);
    }
  }
  if (reached.size === pages.size) return;
  for (const id of pages.keys()) if (!reached.has(id)) pages.delete(id);
  for (const id of children.keys()) if (id !== TOP && !reached.has(id)) children.delete(id);
}

/** The next revision of a structure: the result of a change. The given structure is not modified. */
export const changeStructure = memoizeByChange((structure, change): Structure => {
  const parts = structure instanceof WholeStructure ? structure.parts : wholeOf(structure).parts;
  const members = change.members ?? [];
  const pages = change.pages ?? [];
  const { ids: removed, topmost } = removalOf(structure, change);
  return new WholeStructure({
    workspace: change.workspace ?? parts.workspace,
    revision: parts.revision + 1,
    members: parts.members.with(members.map((member) => [member.id, member])),
    membersOfUsers: parts.membersOfUsers.with(members.map((member) => [member.userId, member])),
    pages: parts.pages.with(
      pages.map((page) => [page.id, page]),
      removed,
    ),
    children: childrenAfter(parts, pages, removed, topmost),
  });
});

function childrenAfter(
  parts: Parts,
  put: readonly Page[],
  removed: ReadonlySet<string>,
  topmost: readonly Page[],
): LayeredMap<readonly Page[]> {
  const moved = new Set(put.map((page) => page.id));
  const arrivals = new Map<string, Page[]>();
  for (const page of put) {
    const key = page.parentId ?? TOP;
    arrivals.set(key, [...(arrivals.get(key) ?? []), page]);
  }
  const touched = new Set(arrivals.keys());
  for (const id of moved) {
    const before = parts.pages.get(id);
    if (before !== undefined) touched.add(before.parentId ?? TOP);
  }
  for (const { parentId } of topmost) touched.add(parentId ?? TOP);
  const changes: [string, readonly Page[]][] = [];
  const emptied: string[] = [];
  for (const key of touched) {
    if (removed.has(key)) continue;
    const before = parts.children.get(key) ?? [];
    const stay = before.filter(({ id }) => !moved.has(id) && !removed.has(id));
    const siblings = [...stay, ...(arrivals.get(key) ?? [])].sort(bySiblingOrder);
    if (siblings.length === 0) emptied.push(key);
    else changes.push([key, siblings]);
  }
  return parts.children.with(changes, emptied.length === 0 ? removed : new Set([...removed, ...emptied]));
}

function wholeOf(structure: Structure): WholeStructure {
  return buildStructure(
    structure.workspace,
    structure.revision,
    structure.members(),
    structure.pages(),
  ) as WholeStructure;
}

/** Ids of UUID v7 break ties by creation. */
function bySiblingOrder(a: Page, b: Page): number {
  return a.orderKey - b.orderKey || (a.id < b.id ? -1 : 1);
}

class WholeStructure implements Structure {
  readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  get workspace(): Workspace {
    return this.parts.workspace;
  }

  get revision(): number {
    return this.parts.revision;
  }

  members(): Iterable<Member> {
    return this.parts.members.values();
  }

  member(id: string): Member | undefined {
    return this.parts.members.get(id);
  }

  memberOfUser(userId: string): Member | undefined {
    return this.parts.membersOfUsers.get(userId);
  }

  pages(): Iterable<Page> {
    return this.parts.pages.values();
  }

  page(id: string): Page | undefined {
    return this.parts.pages.get(id);
  }

  children(parentId: string | null): readonly Page[] {
    return this.parts.children.get(parentId ?? TOP) ?? [];
  }
}
