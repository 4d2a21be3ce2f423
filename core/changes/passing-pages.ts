import { sees, type Viewer } from '../access/viewer.ts';
import { VIEW } from '../model/access/level.ts';
import { baseLevel } from '../model/access/role.ts';
import type { LoggedChange } from '../model/log/change.ts';
import { seesNow, type Sight } from './sight.ts';

/**
 * Whether a page came and went between what the reader knows and now, so that the difference of the two does not name
 * it, and the reader may hold it nevertheless: pages are read later than the events that tell of them. It is known from
 * the structures at hand; and where a page was made and deleted, a reader who sees the page above may have seen it.
 */
export function somePageCameAndWent(sight: Sight, changes: readonly LoggedChange[]): boolean {
  return changes.some((change) => change.kind === 'page' && cameAndWent(sight, change));
}

function cameAndWent(sight: Sight, change: LoggedChange): boolean {
  const { before, earlier, at } = sight;
  const { action, recordId, revision, fromRevision, seq, part } = change;
  const known = earlier !== null && seq + part <= earlier.until ? earlier.viewer : before;
  // Without a structure of before, the answer that brought the reader to a later one listed all pages.
  if (known === null || revision === null || revision <= known.structure.revision) return false;
  if (seesNow(sight, recordId) || sees(known, recordId)) return false;
  const isNew = known.structure.page(recordId) === undefined;
  if (action === 'delete' && isNew && seesAbove(sight, known, change)) return true;
  return [fromRevision, revision].some((meanwhile) => {
    const viewer = meanwhile === null ? null : at(meanwhile);
    return viewer !== null && sees(viewer, recordId);
  });
}

function seesAbove(sight: Sight, known: Viewer, { fromPageId: parentId }: LoggedChange): boolean {
  const { structure, member } = sight.now;
  if (parentId === null) return baseLevel(member.role, structure.workspace.defaultAccess) >= VIEW;
  return seesNow(sight, parentId) || sees(known, parentId);
}
