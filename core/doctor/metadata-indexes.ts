import { metadataOf, metadataText } from '../model/metadata.ts';
import type { Task } from '../model/content/task.ts';
import type { MetadataIndex, Workspace } from '../model/workspace/workspace.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { Report } from './finding.ts';

/** The most values of one key that are compared. */
const MAX_VALUES = 1_000;

/** Counts the tasks by the values of indexed metadata, and compares the result with the indexes. */
export class MetadataIndexes {
  readonly #workspaceId: string;
  /** By text. */
  readonly #counts: ReadonlyMap<MetadataIndex, Map<string, number>>;

  constructor({ id, metadataIndexes = [] }: Workspace) {
    this.#workspaceId = id;
    this.#counts = new Map(metadataIndexes.filter(({ built }) => built).map((index) => [index, new Map()]));
  }

  add(task: Task): void {
    for (const [{ key }, counts] of this.#counts) {
      const metadata = metadataOf(task);
      if (!Object.hasOwn(metadata, key)) continue;
      const text = metadataText(metadata[key]!);
      if (counts.has(text) || counts.size < MAX_VALUES) counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }

  async compare(tx: ReadTransaction, report: Report): Promise<void> {
    for (const [{ key, id }, counts] of this.#counts) {
      for (const [text, count] of counts) {
        const filters = [{ anyMetadata: [{ key, text, index: id }] }];
        const indexed = await tx.tasks.count({ workspaceId: this.#workspaceId, scope: null, filters });
        if (indexed === count) continue;
        report('metadata-index', this.#workspaceId, `finds ${indexed} of ${count} tasks by ${key}=${text}`);
      }
    }
  }
}
