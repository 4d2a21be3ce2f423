import type { WorkspaceAddress } from '../model/address.ts';
import { ADMIN, OWNER } from '../model/access/role.ts';
import { viewerOf, requireRole, sees, type Viewer } from '../access/viewer.ts';
import { type ListInTime, visibleSlice } from '../access/visible-slice.ts';
import type { Context } from '../ports/context.ts';
import { DEFAULT_LIMIT, type Slice, type Paging, type Expanding } from '../kernel/record.ts';
import { listKey, positionIn } from '../kernel/list-cursor.ts';
import { mapInSteps, mapItems } from '../kernel/stepwise.ts';
import { sliceOf } from '../kernel/page-slice.ts';
import { userNames, type UserName } from '../names/names.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { read } from '../write/transaction.ts';
import { requireAdministrator } from '../access/identify.ts';
import type { AuditRecord, AuditValues } from '../model/log/audit-record.ts';

/** What `audit.list` takes. */
export interface ListAudit extends WorkspaceAddress, Paging, Expanding<AuditExpansion> {}

/** What can be expanded in an audit record. */
export const AUDIT_EXPANSIONS = ['user'] as const;
/** An id of an audit record that `expand` resolves to a name. */
export type AuditExpansion = (typeof AUDIT_EXPANSIONS)[number];

/** An audit record as it is read. */
export interface AuditView extends AuditRecord {
  /** Present if requested with `expand`. */
  readonly expanded?: AuditNames;
}

/** The names of the ids in an audit record. */
export interface AuditNames {
  /** The user who made the change; null for the operator. */
  readonly user?: UserName | null;
}

/** The most records that one call reads. A caller who may see few of them gets fewer than the limit. */
const MAX_CHECKED = 5_000;

/**
 * Newest first, without records that name pages and invitations hidden from the caller. For role Admin and above. A
 * slice may hold fewer items than its limit, even none, and still have a `next`. O(limit + 5,000).
 */
export function listAudit(context: Context, input: ListAudit): Promise<Slice<AuditView>> {
  return read(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    requireRole(viewer, ADMIN);
    const { workspaceId, limit = DEFAULT_LIMIT } = input;
    const list: ListInTime<AuditRecord> = {
      key: listKey('audit', { workspaceId }),
      read: (position, some) => {
        const after = position && position.time;
        return tx.audit.list('ofWorkspace', { workspaceId }, { after, limit: some, descending: true });
      },
      // The id (UUID v7) serves as the time: it discloses nothing else.
      timeOf: ({ id }) => id,
      areVisible: (records) => mapItems(records, viewer.yielder, (record) => isShown(viewer, record)),
      most: MAX_CHECKED,
    };
    const { items, next } = await visibleSlice(list, input.cursor, limit);
    const shown = await mapInSteps(items, viewer.yielder, pagesNamed, (record) => asSeen(viewer, record));
    const wasHere = (userId: string) => viewer.structure.memberOfUser(userId) !== undefined;
    return withNames(tx, { items: shown, next }, input.expand, wasHere);
  });
}

/** What `audit.service` takes. */
export interface ListServiceAudit extends Paging, Expanding<AuditExpansion> {}

/** Records outside of workspaces: users and tokens. Newest first. For service administrators and the operator. */
export function listServiceAudit(context: Context, input: ListServiceAudit): Promise<Slice<AuditView>> {
  return read(context, async (tx) => {
    await requireAdministrator(tx, context);
    const limit = input.limit ?? DEFAULT_LIMIT;
    const list = listKey('audit');
    const found = await tx.audit.list(
      'ofWorkspace',
      { workspaceId: null },
      { after: positionIn(list, input.cursor), limit: limit + 1, descending: true },
    );
    return withNames(tx, sliceOf(found, limit, list), input.expand, () => true);
  });
}

async function withNames(
  tx: ReadTransaction,
  slice: Slice<AuditRecord>,
  expand: readonly AuditExpansion[] = [],
  isShown: (userId: string) => boolean,
): Promise<Slice<AuditView>> {
  if (expand.length === 0) return slice;
  const ids = slice.items.map(({ userId }) => userId);
  const nameOf = await userNames(tx, ids, isShown);
  return { ...slice, items: slice.items.map((record) => ({ ...record, expanded: { user: nameOf(record.userId) } })) };
}

function isShown(viewer: Viewer, record: AuditRecord): boolean {
  if (viewer.member.role === OWNER) return true;
  const [kind] = record.action.split('.');
  // A deleted page has no access rules any more; its records are shown to owners only.
  if (kind === 'access' || kind === 'page') return sees(viewer, record.recordId);
  if (kind === 'invitation') return Number((record.after ?? {})['role']) <= viewer.member.role;
  return true;
}

/** Ids of pages that the viewer may not see are null, or left out of lists. */
function asSeen(viewer: Viewer, record: AuditRecord): AuditRecord {
  return { ...record, before: masked(viewer, record.before), after: masked(viewer, record.after) };
}

/** The number of pages whose access is looked up, counting the record itself as one or two. */
function pagesNamed({ before, after }: AuditRecord): number {
  const pagesIn = (values: AuditValues | null) => (Array.isArray(values?.['pages']) ? values['pages'].length : 1);
  return pagesIn(before) + pagesIn(after);
}

function masked(viewer: Viewer, values: AuditValues | null): AuditValues | null {
  if (values === null) return null;
  const { parentId, pages } = values;
  return {
    ...values,
    ...(typeof parentId === 'string' && !sees(viewer, parentId) ? { parentId: null } : {}),
    ...(Array.isArray(pages)
      ? { pages: (pages as readonly { pageId: string }[]).filter(({ pageId }) => sees(viewer, pageId)) }
      : {}),
  };
}
