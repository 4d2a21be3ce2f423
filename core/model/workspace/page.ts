import type { Level } from '../access/level.ts';
import { entriesFrom, storedEntries, type PageEntries, type StoredEntries } from '../access/page-entry.ts';
import type { HasMetadata } from '../metadata.ts';
import type { Versioned } from '../../kernel/record.ts';

/** What is on a page. */
export type PageType = 'folder' | 'board' | 'task';

/** A node of a workspace's tree. Its board or task has the same id. */
export interface Page extends Versioned, HasMetadata {
  /** Also the id of its board or task. */
  readonly id: string;
  /** The workspace that it is in. */
  readonly workspaceId: string;
  /** 1-500 characters. */
  readonly name: string;
  /** The type of its content. */
  readonly type: PageType;
  /** The page above it; null: it is at the top. */
  readonly parentId: string | null;
  /** Sorts siblings. Sparse, so that a move rewrites one page. Within +-2^52. */
  readonly orderKey: number;
  /** Its board or task, which has the same id. Null: it has none. */
  readonly contentId: string | null;
  /** For a task page with content: the board of its task. Otherwise null. */
  readonly boardId: string | null;
  /** The member who created it. */
  readonly createdById: string;
  /** Whether it inherits access, and what role Member has if not. */
  readonly settings: AccessSettings;
  /** Access set on this page. */
  readonly entries: PageEntries;
  /** Tasks on it and on all pages below it are left out of lists of tasks. Absent: they are not. */
  readonly template?: true;
}

/** Whether a page inherits access from its parent. `defaultAccess` is null exactly if it does. */
export interface AccessSettings extends Versioned {
  /** Whether it has the access of its parent where none is set. */
  readonly inherit: boolean;
  /** The level of role Member if it does not inherit; null: it does. */
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
