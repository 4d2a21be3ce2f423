import type { Context } from '../ports/context.ts';
import { invalid } from '../kernel/errors.ts';
import { cursorIn, listKey, positionIn } from '../kernel/list-cursor.ts';
import { DEFAULT_LIMIT, type Slice } from '../kernel/record.ts';
import { inSteps, mapStepwise, type Stepwise } from '../kernel/stepwise.ts';
import { DENIED, FULL, VIEW, type Level } from '../model/level.ts';
import type { Member } from '../model/member.ts';
import type { Page } from '../model/page.ts';
import { baseLevel, GUEST, OWNER } from '../model/role.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { read } from '../write/transaction.ts';
import { activeMembers, withMemberNames, type AccessEntry, type MemberExpansion } from './members-access.ts';
import { accessType, levelWithoutEntry, principalOf, resolverAt, type Principal } from './resolve.ts';
import { sourceOf, type AccessSource } from './source.ts';
import { levelsOnAllPages, viewerOf, type Viewer } from './viewer.ts';

/**
 * `above`, `below`: than what the role gives where no page says otherwise. `without-effect`: set here, and the same
 * without it. `guest-edits`: a guest with more than view. `owners-only`: nobody but owners reaches the page.
 */
export const ACCESS_FINDINGS = ['above', 'below', 'without-effect', 'guest-edits', 'owners-only'] as const;
export type AccessFinding = (typeof ACCESS_FINDINGS)[number];

/** What one member has on one page, and what stands out about it. */
export interface AuditedAccess extends AccessEntry {
  /** The page. */
  readonly pageId: string;
  /** What the role gives where no page says otherwise. */
  readonly base: Level;
  /** Where the level comes from: `owner`, `entry`, `default`, `above` or `role`. */
  readonly from: AccessSource;
  /** `above`, `below`, `without-effect`, `guest-edits` or `owners-only`. */
  readonly findings: readonly AccessFinding[];
}

export interface AuditAccess {
  /** The workspace: its id or alias. */
  readonly workspaceId: string;
  /** Only where something stands out. */
  readonly findings?: boolean;
  /** 1-500, default 100. */
  readonly limit?: number;
  /** Where the part before ended: its `next`. */
  readonly cursor?: string;
  /** What of the ids in each entry is named in `expanded`. */
  readonly expand?: readonly MemberExpansion[];
}

/** Members on pages that one call looks at, at most: where little stands out, it finds less than its limit. */
const MOST_LOOKS = 5_000;

/**
 * Who may do what on every page that the caller sees, page by page in the order of the tree, with what stands out. A
 * guest sees only the own entries. A part may hold less than its limit, even nothing, and still have a next one.
 *
 * O(pages + members) for each part, and O(depth) for each page in it.
 *
 * @throws `invalid-input` for a cursor of another list, or one whose page is gone
 */
export function auditAccess(context: Context, input: AuditAccess): Promise<Slice<AuditedAccess>> {
  return read(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    const everyone = await principalsSeen(tx, viewer);
    const list = listKey('access.audit', { workspaceId: viewer.structure.workspace.id, findings: input.findings });
    const limit = input.limit ?? DEFAULT_LIMIT;
    const { order, levels } = await levelsOnAllPages(viewer);
    const found: AuditedAccess[] = [];
    const [first, behind] = startOf(order.pages, positionIn(list, input.cursor));
    let looks = 0;
    let last: AuditedAccess | undefined;
    const slice = async (next: string | null) => ({
      items: await withMemberNames(tx, viewer, found, input.expand),
      next,
    });
    for (let i = first; i < order.pages.length; i++) {
      if (levels[i]! < VIEW) continue;
      const parent = order.parents[i]!;
      const isParentSeen = parent < 0 || levels[parent]! >= VIEW;
      const audited = auditPage(viewer, order.pages[i]!, isParentSeen, everyone);
      for (const entry of await inSteps(audited, viewer.yielder)) {
        if (i === first && behind !== null && entry.memberId <= behind) continue;
        if (last !== undefined && (found.length >= limit || looks >= MOST_LOOKS)) {
          return slice(cursorIn(list, `${last.pageId} ${last.memberId}`));
        }
        looks += 1;
        last = entry;
        if (input.findings !== true || entry.findings.length > 0) found.push(entry);
      }
    }
    return slice(null);
  });
}

interface Seen {
  readonly member: Member;
  readonly who: Principal | null;
}

/** Those whose access the viewer may know, by id: everybody; a guest themselves. */
async function principalsSeen(tx: ReadTransaction, viewer: Viewer): Promise<readonly Seen[]> {
  const { structure, member, principal, yielder } = viewer;
  if (member.role <= GUEST) return [{ member, who: principal }];
  const { members, users } = await activeMembers(tx, structure, yielder);
  return members.map((one) => ({ member: one, who: principalOf(one, users.get(one.userId)) }));
}

/** The position of the page to begin with, and the member on it to begin behind. */
function startOf(pages: readonly Page[], position: string | null): readonly [first: number, behind: string | null] {
  if (position === null) return [0, null];
  const [pageId = '', memberId = ''] = position.split(' ');
  const first = pages.findIndex(({ id }) => id === pageId);
  if (first < 0) throw invalid('/cursor', 'names a page that is gone: begin anew');
  return [first, memberId];
}

/** What each has on a page. O(depth + members), in steps. */
function* auditPage(
  { structure }: Viewer,
  page: Page,
  isParentSeen: boolean,
  everyone: readonly Seen[],
): Stepwise<readonly AuditedAccess[]> {
  const levelOf = resolverAt(structure, page.id);
  const levelAbove = page.parentId === null ? null : resolverAt(structure, page.parentId);
  const { defaultAccess } = structure.workspace;
  const levels = yield* mapStepwise(everyone, ({ member, who }) => ({ member, who, access: levelOf(who) }));
  const ownersOnly = levels.every(({ member, access }) => member.role === OWNER || access === DENIED);
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

/** The level without an entry on the page; undefined where it is that of a page above that may not be seen. */
function levelOtherwise({ settings }: Page, role: number, above: Level | undefined): Level | undefined {
  if (settings.inherit && above === undefined) return undefined;
  return levelWithoutEntry(settings, role, above ?? DENIED);
}
