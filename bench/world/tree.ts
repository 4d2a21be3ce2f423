import type { Level } from '../../core/model/access/level.ts';
import { pageEntry, type PageEntries, type PageEntry } from '../../core/model/access/page-entry.ts';
import type { Page } from '../../core/model/workspace/page.ts';
import { CALLER, namesOf, type Shape } from './shape.ts';
import { titleOf } from './titles.ts';

/**
 * The pages of a world, parents before children: folders in a tree as deep as asked for, then the boards, deep in it.
 * Page numbers: boards first, then folders; folder 0 is at the top and everything is nested under it.
 */
export function pagesOf(shape: Shape, at: string): Page[] {
  const { boards, folders, depth, entries, members, world, apart = false, hidden = 0 } = shape;
  const names = namesOf(shape);
  const total = folders + boards;
  const trunk = apart ? 2 : 1;
  const width = Math.max(1, Math.ceil((folders - trunk) / (depth - 1 - trunk)));
  const folder = (n: number) => names.page(boards + n);
  /** Folders are laid out level by level, behind the one or two of the trunk; each stands under one of the level above. */
  const parentOf = (n: number) => {
    if (n === 0) return null;
    return n < trunk + width ? folder(Math.min(n, trunk) - 1) : folder(n - width);
  };
  const byPage = entriesOf(total, entries, members, (n) => names.member(n));
  const common = {
    workspaceId: names.workspaceId,
    createdById: names.member(0),
    settings: { inherit: true, defaultAccess: null, createdAt: at, updatedAt: at, version: 1 },
    createdAt: at,
    updatedAt: at,
    version: 1,
  } as const;
  const pages: Page[] = [];
  for (let n = 0; n < folders; n += 1) {
    pages.push({
      id: folder(n),
      name: `Folder ${n} of world ${world}`,
      type: 'folder',
      parentId: parentOf(n),
      orderKey: n * 1024,
      contentId: null,
      boardId: null,
      // The caller may do everything everywhere, because of an entry and not of the role.
      entries: n === 0 ? { [names.member(CALLER)]: pageEntry(400, 1) } : (byPage.get(n) ?? {}),
      ...common,
    });
  }
  for (let n = 0; n < boards; n += 1) {
    const deep = apart && n === 0 ? folder(0) : folder(folders - 1 - (n % Math.min(width, folders)));
    pages.push({
      id: names.board(n),
      name: `Board ${n} of world ${world}`,
      type: 'board',
      parentId: deep,
      orderKey: (folders + n) * 1024,
      contentId: names.board(n),
      boardId: null,
      entries: byPage.get(folders + n) ?? {},
      ...common,
    });
  }
  for (let n = 0; n < hidden; n += 1) {
    pages.push({
      id: names.task(n),
      name: titleOf(n),
      type: 'task',
      parentId: names.board(0),
      orderKey: n * 1024,
      contentId: names.task(n),
      boardId: names.board(0),
      entries: { [names.member(CALLER)]: pageEntry(0, 1) },
      ...common,
    });
  }
  return pages;
}

const LEVELS: readonly Level[] = [100, 200, 300, 0];

/** Entries by place of the page, spread evenly; none of the owner or the caller. */
function entriesOf(
  pages: number,
  entries: number,
  members: number,
  member: (n: number) => string,
): ReadonlyMap<number, PageEntries> {
  const byPage = new Map<number, Record<string, PageEntry>>();
  const others = members - CALLER - 1;
  if (others <= 0) return byPage;
  for (let i = 0; i < entries; i += 1) {
    const place = Math.floor((i * pages) / entries);
    const of = byPage.get(place) ?? {};
    of[member(CALLER + 1 + ((i * 7) % others))] = pageEntry(LEVELS[i % LEVELS.length]!, 1);
    byPage.set(place, of);
  }
  return byPage;
}
