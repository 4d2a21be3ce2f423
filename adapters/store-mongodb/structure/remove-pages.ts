import type { Page } from '../../../core/model/page.ts';
import type { DocumentWriter } from '../query/document-writer.ts';

/**
 * Removes pages, leaving marks in their place: a process with an older structure in its cache drops them wherever it has
 * them. What hangs on them is out of reach, see `core/tree/reach.ts`, and is removed in later steps.
 *
 * @param revision of a structure without them
 */
export async function removePages(
  documents: DocumentWriter,
  workspaceId: string,
  pages: readonly Pick<Page, 'id'>[],
  revision: number,
): Promise<void> {
  for (const { id } of pages) {
    await documents.replace('pages', { _id: id, workspaceId, revision, removedAt: new Date() });
  }
}
