import type { Level } from '../access/level.ts';
import { metadataOf, type HasMetadata, type WithMetadata } from '../metadata.ts';
import type { Versioned } from '../../kernel/record.ts';

/** A workspace: members, a tree of pages, boards and tasks, separate from all other workspaces. */
export interface Workspace extends Versioned, HasMetadata {
  /** UUID. */
  readonly id: string;
  /** 1-200 characters. */
  readonly name: string;
  /** 2-63 of `[a-z0-9]` and inner `-`, unique in the service, never changed. */
  readonly alias: string;
  /** Up to 10,000 characters. */
  readonly description: string;
  /** The level of role Member where no page sets another. */
  readonly defaultAccess: Level;
  /** The indexes of the metadata of its tasks. Absent: none. */
  readonly metadataIndexes?: readonly MetadataIndex[];
}

/** An index of the tasks by the value of one key of their metadata, as text. */
export interface MetadataIndex {
  /** The key of the metadata. */
  readonly key: string;
  /** UUID: another one each time the key is named anew, so that no old entry is taken for a new one. */
  readonly id: string;
  /** Whether it has all tasks. Until then every write keeps it, and nothing is read from it. */
  readonly built: boolean;
}

/** The most keys that are indexed. */
export const INDEXED_KEYS = 5;

/** A workspace as it is read. */
export interface ShownWorkspace extends Omit<WithMetadata<Workspace>, 'metadataIndexes'> {
  /** The keys of the metadata of tasks that have an index. */
  readonly indexedMetadata: readonly string[];
}

export function shownWorkspace(workspace: Workspace): ShownWorkspace {
  const { metadataIndexes = [], ...rest } = workspace;
  return { ...rest, metadata: metadataOf(workspace), indexedMetadata: metadataIndexes.map(({ key }) => key) };
}
