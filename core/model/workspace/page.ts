import type { Level } from '../access/level.ts';
import { entriesFrom, storedEntries, type PageEntries, type StoredEntries } from '../access/page-entry.ts';
import type { HasMetadata } from '../metadata.ts';
import type { Versioned } from '../../kernel/record.ts';

/** The content of a page. */
export type PageType = 'folder' | 'board' | 'task';

/** A page in the tree of a workspace. Its board or task has the same id. */
export interface Page extends Versioned, HasMetadata {
  /** The id of the page, and of its board or task. */
  readonly id: string;
  /** The workspace of the record. */
  readonly workspaceId: string;
  /** 1-500 characters. */
  readonly name: string;
  /** The type of its content. */
  readonly type: PageType;
  /** The parent page. Null: at the top. */
  readonly parentId: string | null;
  /** Sorts siblings. Sparse, so that a move rewrites one page. Within +-2^52. */
  readonly orderKey: number;
  /** The board or task of the page, which has the same id. Null if there is none. */
  readonly contentId: string | null;
  /** For a task page with content: the board of its task. Otherwise null. */
  readonly boardId: string | null;
  /** The member who created it. */
  readonly createdById: string;
  /** Whether it inherits access, and the level of role Member if not. */
  readonly settings: AccessSettings;
  /** Access set on this page. */
  readonly entries: PageEntries;
  /** Lists of tasks omit the tasks on this page and on all pages below. Absent: they do not. */
  readonly template?: true;
}

/** Whether a page inherits access from its parent. `defaultAccess` is null if and only if it does. */
export interface AccessSettings extends Versioned {
  /** Whether it inherits the access of its parent. */
  readonly inherit: boolean;
  /** The level of role Member if it does not inherit; null if it does. */
  readonly defaultAccess: Level | null;
}

/** A page in a store or an export. */
export type StoredPage = Omit<Page, 'entries'> & { readonly entries: StoredEntries };

/** Returns the same object if it has no entries, as most have none. */
export function pageFrom(stored: StoredPage): Page {
  return hasEntries(stored) ? { ...stored, entries: entriesFrom(stored.entries) } : (stored as Page);
}

/** Returns the same object if it has no entries. */
export function storedPage(page: Page): StoredPage {
  return hasEntries(page) ? { ...page, entries: storedEntries(page.entries) } : page;
}

/** The page as a template or as an ordinary page, which is stored without the field. */
export function withTemplate(page: Page, template: boolean): Page {
  if (template) return page.template === true ? page : { ...page, template };
  if (!('template' in page)) return page;
  const { template: _, ...rest } = page;
  return rest;
}

export function hasEntries({ entries }: Pick<StoredPage, 'entries'>): boolean {
  for (const _ in entries) return true;
  return false;
}
