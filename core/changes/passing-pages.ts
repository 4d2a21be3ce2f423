import { sees, type Viewer } from '../access/viewer.ts';
import { VIEW } from '../model/access/level.ts';
import { baseLevel } from '../model/access/role.ts';
import type { LoggedChange } from '../model/log/change.ts';
import { seesNow, type Sight } from './sight.ts';

/** What decides who sees a page, and what is below it. */
const OF_ACCESS: ReadonlySet<string> = new Set(['entries', 'settings', 'parentId', 'boardId']);
/** What decides what a member sees everywhere. */
const OF_EVERY_PAGE: ReadonlySet<string> = new Set(['role', 'defaultAccess']);

/**
 * Whether a page may have come and gone between what the reader knows and now, so that the difference of the two does not
 * name it, and the reader may hold it nevertheless: pages are read later than the events that tell of them. It is known
 * from the structures at hand. Where another process wrote, and that of between is not at hand, it counts as seen.
 */
export function somePageCameAndWent(sight: Sight, changes: readonly LoggedChange[]): boolean {
  return changes.some((change) =>
    change.kind === 'page' ? cameAndWent(sight, change) : mayHaveTakenAny(sight, change),
  );
}

function cameAndWent(sight: Sight, change: LoggedChange): boolean {
  const { action, recordId, revision, fromRevision } = change;
  const known = knownBefore(sight, change);
  if (known === null || revision === null || seesNow(sight, recordId) || sees(known, recordId)) return false;
  const isNew = known.structure.page(recordId) === undefined;
  if (action === 'delete' && isNew && seesAbove(sight, known, change)) return true;
  const isSeenAt = (meanwhile: number) => {
    const viewer = sight.at(meanwhile);
    return viewer === null ? null : sees(viewer, recordId);
  };
  if (isSeenAt(revision) === true) return true;
  // Only what the change found can have been taken by it.
  if (fromRevision === null || fromRevision <= known.structure.revision) return false;
  return isSeenAt(fromRevision) ?? (action === 'delete' || changesAny(change, OF_ACCESS));
}

/** Whether the change may have taken from the reader, anywhere, what one before it had shown them. */
function mayHaveTakenAny(sight: Sight, change: LoggedChange): boolean {
  const { kind, recordId, fromRevision } = change;
  if (kind !== 'workspace' && (kind !== 'member' || recordId !== sight.now.member.id)) return false;
  const known = knownBefore(sight, change);
  return (
    known !== null &&
    fromRevision !== null &&
    fromRevision > known.structure.revision &&
    changesAny(change, OF_EVERY_PAGE)
  );
}

/** The reader in the structure that they know, where the change came after it; else null. */
function knownBefore({ before, earlier }: Sight, { seq, part, revision }: LoggedChange): Viewer | null {
  // Without a structure of before, the answer that brought the reader to a later one listed all pages.
  const known = earlier !== null && seq + part <= earlier.until ? earlier.viewer : before;
  return known === null || revision === null || revision <= known.structure.revision ? null : known;
}

function changesAny({ fields }: LoggedChange, some: ReadonlySet<string>): boolean {
  return fields.some((field) => some.has(field));
}

function seesAbove(sight: Sight, known: Viewer, { fromPageId: parentId }: LoggedChange): boolean {
  const { structure, member } = sight.now;
  if (parentId === null) return baseLevel(member.role, structure.workspace.defaultAccess) >= VIEW;
  return seesNow(sight, parentId) || sees(known, parentId);
}
