import type { WorkspaceAddress } from '../model/address.ts';
import type { Context } from '../ports/context.ts';
import { type EspalierError, invalid } from '../kernel/errors.ts';
import { cursorIn, listKey, positionIn } from '../kernel/list-cursor.ts';
import { DEFAULT_LIMIT, type Slice, type Paging, type Expanding } from '../kernel/record.ts';
import { inSteps, mapStepwise, type Stepwise, mapItems } from '../kernel/stepwise.ts';
import { DENIED, FULL, VIEW, type Level } from '../model/access/level.ts';
import type { Member } from '../model/workspace/member.ts';
import type { Page } from '../model/workspace/page.ts';
import { baseLevel, GUEST, OWNER } from '../model/access/role.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { read } from '../write/transaction.ts';
import { activeMembers, withMemberNames, type AccessEntry, type MemberExpansion } from './members-access.ts';
import {
  accessType,
  effective,
  type LevelOf,
  levelWithoutEntry,
  principalOf,
  resolverAt,
  type Principal,
} from './resolve.ts';
import { sourceOf, type AccessSource } from './source.ts';
import { shownOrder } from '../page/shown-order.ts';
import { viewerOf, type Viewer } from './viewer.ts';

/**
 * `above`, `below`: a level above or below the role's base level. `without-effect`: an entry set on this page that
 * changes nothing. `guest-edits`: a guest with more than view. `owners-only`: only owners have access to the page.
 */
export const ACCESS_FINDINGS = ['above', 'below', 'without-effect', 'guest-edits', 'owners-only'] as const;
/** A finding about the level of a member on a page. */
export type AccessFinding = (typeof ACCESS_FINDINGS)[number];

/** The level of one member on one page, with its source and findings. */
export interface AuditedAccess extends AccessEntry {
  /** The page. */
  readonly pageId: string;
  /** The role's base level: what it gives where no page sets another. */
  readonly base: Level;
  /** The source of the level: `owner`, `entry`, `default`, `above` or `role`. */
  readonly from: AccessSource;
  /** `above`, `below`, `without-effect`, `guest-edits` or `owners-only`. */
  readonly findings: readonly AccessFinding[];
}

/** What `access.audit` takes. */
export interface AuditAccess extends WorkspaceAddress, Paging, Expanding<MemberExpansion> {
  /** True: only entries with findings. */
  readonly findings?: boolean;
}

/** The most pairs of page and member that one call checks. With few findings it returns fewer than its limit. */
const MAX_CHECKED = 5_000;

/**
 * The access of every member on every page that the caller sees, in the order of the list of pages, with findings. A
 * guest sees only their own entries. A slice may hold fewer items than its limit, even none, and still have a `next`.
 *
 * O(pages + members) per slice, plus O(depth) per page in it.
 *
 * @throws `invalid-input` for a cursor of another list, or one whose page is gone
 */
export function auditAccess(context: Context, input: AuditAccess): Promise<Slice<AuditedAccess>> {
  return read(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    const everyone = await principalsSeen(tx, viewer);
    const list = listKey('access.audit', { workspaceId: viewer.structure.workspace.id, findings: input.findings });
    const limit = input.limit ?? DEFAULT_LIMIT;
    const { all, positions } = await shownOrder(viewer);
    const { order, levels } = all;
    const found: AuditedAccess[] = [];
    const [first, after] = startOf(order.pages, positions, positionIn(list, input.cursor));
    let checked = 0;
    let last: AuditedAccess | undefined;
    const slice = async (next: string | null) => ({
      items: await withMemberNames(tx, viewer, found, input.expand),
      next,
    });
    for (let n = first; n < positions.length; n++) {
      const i = positions[n]!;
      const parent = order.parents[i]!;
      const isParentSeen = parent < 0 || levels[parent]! >= VIEW;
      const audited = auditPage(viewer, order.pages[i]!, isParentSeen, everyone);
      for (const entry of await inSteps(audited, viewer.yielder)) {
        if (n === first && after !== null && entry.memberId <= after) continue;
        if (last !== undefined && (found.length >= limit || checked >= MAX_CHECKED)) {
          return slice(cursorIn(list, `${last.pageId} ${last.memberId}`));
        }
        checked += 1;
        last = entry;
        if (input.findings !== true || entry.findings.length > 0) found.push(entry);
      }
    }
    return slice(null);
  });
}

interface VisibleMember {
  readonly member: Member;
  readonly who: Principal | null;
}

/** The members whose access the viewer may see, by id: all of them; for a guest, only themselves. */
async function principalsSeen(tx: ReadTransaction, viewer: Viewer): Promise<readonly VisibleMember[]> {
  const { structure, member, principal, yielder } = viewer;
  if (member.role <= GUEST) return [{ member, who: principal }];
  const { members, users } = await activeMembers(tx, structure, yielder);
  return mapItems(members, yielder, (one) => ({ member: one, who: principalOf(one, users.get(one.userId)) }));
}

/**
 * Where a cursor resumes: the place of its page among the positions that are shown, and the last member that was
 * returned for it. A page that is hidden by now counts as removed.
 */
function startOf(
  pages: readonly Page[],
  positions: Int32Array,
  position: string | null,
): readonly [first: number, after: string | null] {
  if (position === null) return [0, null];
  const [pageId = '', memberId = ''] = position.split(' ');
  const first = positions.findIndex((i) => pages[i]!.id === pageId);
  if (first < 0) throw pageIsGone();
  return [first, memberId];
}

function pageIsGone(): EspalierError {
  return invalid('/cursor', 'names a page that is no longer there: start again');
}

/** The access of each member on a page. O(depth + members), in steps. */
function* auditPage(
  { structure }: Viewer,
  page: Page,
  isParentSeen: boolean,
  everyone: readonly VisibleMember[],
): Stepwise<readonly AuditedAccess[]> {
  const levelOf = yield* levelOfEach(structure, page.id, everyone);
  const levelAbove = page.parentId === null ? null : yield* levelOfEach(structure, page.parentId, everyone);
  const { defaultAccess } = structure.workspace;
  let ownersOnly = true;
  const levels = yield* mapStepwise(everyone, ({ member, who }) => {
    const access = levelOf(who);
    ownersOnly &&= member.role === OWNER || access === DENIED;
    return { member, who, access };
  });
  return yield* mapStepwise(levels, ({ member, who, access }) => {
    const { id: memberId, role } = member;
    const base = baseLevel(role, defaultAccess);
    const type = accessType(page, member);
    const above = !isParentSeen ? undefined : levelAbove === null ? base : levelAbove(who);
    const otherwise = role === OWNER ? FULL : levelOtherwise(page, role, above);
    const findings: AccessFinding[] = [];
    if (access > base) findings.push('above');
    if (access < base) findings.push('below');
    if (type === 'accepted' && otherwise === access) findings.push('without-effect');
    if (role === GUEST && access > VIEW) findings.push('guest-edits');
    if (ownersOnly && role === OWNER) findings.push('owners-only');
    const from = sourceOf({ role, type }, page.settings, { parentId: page.parentId });
    return { pageId: page.id, memberId, role, access, base, type, from, findings };
  });
}

/** Up to this many members are resolved one by one, without visiting the entries of all others. */
const MAX_ONE_BY_ONE = 4;

function* levelOfEach(structure: Structure, pageId: string, everyone: readonly VisibleMember[]): Stepwise<LevelOf> {
  if (everyone.length > MAX_ONE_BY_ONE) return yield* resolverAt(structure, pageId);
  yield;
  return (who) => effective(structure, who, pageId);
}

/** The level without an entry on the page; undefined if it is inherited from a page that the viewer may not see. */
function levelOtherwise({ settings }: Page, role: number, above: Level | undefined): Level | undefined {
  if (settings.inherit && above === undefined) return undefined;
  return levelWithoutEntry(settings, role, above ?? DENIED);
}
