import { sees } from '../access/viewer.ts';
import type { LoggedChange } from '../model/log/change.ts';
import { seesNow, type Sight } from './sight.ts';

/**
 * Whether a page came and went between what the reader knows and now, so that the difference of the two does not name
 * it, and the reader may hold it nevertheless: pages are read later than the events that tell of them. Where a page was
 * made and deleted it is not known who saw it. What went out of sight again was read if a structure is at hand
 * in which it is visible.
 */
export function somePageCameAndWent(sight: Sight, changes: readonly LoggedChange[]): boolean {
  return changes.some((change) => change.kind === 'page' && cameAndWent(sight, change));
}

function cameAndWent(sight: Sight, { action, recordId, revision, fromRevision, seq, part }: LoggedChange): boolean {
  const { before, earlier, at } = sight;
  const known = earlier !== null && seq + part <= earlier.until ? earlier.viewer : before;
  // Without a structure of before, the answer that brought the reader to a later one listed all pages.
  if (known === null || revision === null || revision <= known.structure.revision) return false;
  if (seesNow(sight, recordId) || sees(known, recordId)) return false;
  if (action === 'delete' && known.structure.page(recordId) === undefined) return true;
  return [fromRevision, revision].some((meanwhile) => {
    const viewer = meanwhile === null ? null : at(meanwhile);
    return viewer !== null && sees(viewer, recordId);
  });
}
