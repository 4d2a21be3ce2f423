import { type HasMetadata, newMetadata, type WritesMetadata } from '../metadata.ts';
import type { Page } from '../workspace/page.ts';
import { created, type Versioned } from '../../kernel/record.ts';

/** A board. Its page has the same id and name, and decides access to it. */
export interface Board extends Versioned, HasMetadata {
  /** The id of the board and its page. */
  readonly id: string;
  /** The workspace of the record. */
  readonly workspaceId: string;
  /** 1-500 characters, also the name of its page. */
  readonly name: string;
  /** Up to 10,000 characters. */
  readonly description: string;
  /** Its id in another system, unique among the boards of the workspace; null: none. */
  readonly externalId: string | null;
  /** The member who created it. */
  readonly createdById: string;
  /** By `orderKey`, then by creation. */
  readonly statuses: readonly Status[];
  /** By creation. */
  readonly tags: readonly Tag[];
}

/** A column of a board. */
export interface Status extends Versioned, HasMetadata {
  /** UUID. */
  readonly id: string;
  /** 1-100 characters. */
  readonly name: string;
  /** Within +-2^52. */
  readonly orderKey: number;
  /** Tasks that move into this status are completed. */
  readonly done: boolean;
  /** Present while it is being removed: it takes no new tasks, and is removed when all its tasks are moved. */
  readonly removal?: { readonly jobId: string; readonly moveTo: string };
}

/** A tag of a board, for its tasks. */
export interface Tag extends Versioned, HasMetadata {
  /** UUID. */
  readonly id: string;
  /** 1-100 characters, unique on the board ignoring case. */
  readonly name: string;
  /** A CSS colour name or `#rrggbb`, in lower case. */
  readonly color: string;
  /** Present while it is being removed: it cannot be added to tasks, and is removed when it is off all of them. */
  readonly removal?: { readonly jobId: string };
}

/** The statuses and tags of a board. */
export function partsOf({ statuses, tags }: Board): readonly (Status | Tag)[] {
  return [...statuses, ...tags];
}

/** The empty board of a new board page. */
export function newBoard(
  page: Page,
  at: string,
  given: Partial<Pick<Board, 'description' | 'externalId'>> & WritesMetadata = {},
): Board {
  return {
    id: page.id,
    workspaceId: page.workspaceId,
    name: page.name,
    description: given.description ?? '',
    externalId: given.externalId ?? null,
    createdById: page.createdById,
    statuses: [],
    tags: [],
    ...newMetadata(given.metadata),
    ...created(at),
  };
}
