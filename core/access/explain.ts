import type { PageAddress } from '../model/address.ts';
import type { Context } from '../ports/context.ts';
import { found, notFound } from '../kernel/errors.ts';
import { inSteps, forEachItemStepwise, mapStepwise, type Stepwise, whileStepwise } from '../kernel/stepwise.ts';
import type { Page } from '../model/workspace/page.ts';
import { seenPage } from '../page/read.ts';
import { read } from '../write/transaction.ts';
import { FULL, VIEW, type Level } from '../model/access/level.ts';
import { countingEntry, decides, levelUnder, lower, pathUp, principalOf, type Principal } from './resolve.ts';
import { baseLevel, OWNER } from '../model/access/role.ts';
import { memberNames, pageName, type MemberName, type PageName } from '../names/names.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { viewerOf, type Viewer } from './viewer.ts';

/** One rule evaluated on the way to a level, in order of evaluation; the last one decides. */
export interface AccessStep {
  /**
   * `owner`: an owner has full access. `entry`: set on a page for this member. `cap`: an entry of an earlier
   * membership, which limits the level from here on. `default`: the default of a page that does not inherit. `silent`:
   * a page that sets nothing. `base`: the role in the workspace. `none`: no access at all.
   */
  readonly rule: 'owner' | 'entry' | 'cap' | 'default' | 'silent' | 'base' | 'none';
  /** The page of the rule; null for the workspace and for a page that the caller may not see. */
  readonly pageId: string | null;
  /** The level after this rule, limited by the role and the caps before it; null for `silent`. */
  readonly access: Level | null;
  /** Present if requested with `expand`. */
  readonly expanded?: StepNames;
}

/** The names of the ids in a step. */
export interface StepNames {
  /** Null for the workspace and for a page that the caller may not see. */
  readonly page?: PageName | null;
}

/** The level of one member on one page, and what led to it. */
export interface AccessExplanation {
  /** The member whose level is explained. */
  readonly memberId: string;
  /** 40 Owner, 30 Admin, 20 Member, 10 Guest. */
  readonly role: number;
  /** On which page. */
  readonly pageId: string;
  /** The resulting level: 400 full, 300 edit, 200 comment, 100 view, 0 denied. */
  readonly access: Level;
  /** In order of evaluation; the last one decides. */
  readonly steps: readonly AccessStep[];
  /** Present if requested with `expand`. */
  readonly expanded?: ExplanationNames;
}

/** The names of the ids in an explanation. */
export interface ExplanationNames {
  /** The member. */
  readonly member?: MemberName;
  /** Null for the workspace and for a page that the caller may not see. */
  readonly page?: PageName | null;
}

/** What can be expanded in an explanation; `page` also in each step. */
export const EXPLANATION_EXPANSIONS = ['member', 'page'] as const;
/** An id of an explanation that `expand` resolves to a name. */
export type ExplanationExpansion = (typeof EXPLANATION_EXPANSIONS)[number];

/** What `access.explain` takes. */
export interface ExplainAccess extends PageAddress {
  /** The member. Default: the caller. */
  readonly memberId?: string;
  /** Which ids to resolve to names, in `expanded`; `page` also in each step. */
  readonly expand?: readonly ExplanationExpansion[];
}

/** Explains the level of a member on a page. Needs 100 for the caller's own level, 400 for others. */
export function explainAccess(context: Context, input: ExplainAccess): Promise<AccessExplanation> {
  return read(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    const memberId = input.memberId ?? viewer.member.id;
    const page = seenPage(viewer, input.pageId, memberId === viewer.member.id ? VIEW : FULL);
    const member = viewer.structure.member(memberId);
    if (member === undefined || !member.active) throw notFound();
    const user = (await tx.users.many([member.userId])).get(member.userId);
    const who = principalOf(member, user);
    const steps = await inSteps(stepsSeen(viewer, page, who), viewer.yielder);
    const access = found(steps.at(-1)?.access);
    return withNames(tx, viewer, { memberId, role: member.role, pageId: page.id, access, steps }, input.expand);
  });
}

async function withNames(
  tx: ReadTransaction,
  viewer: Viewer,
  explanation: AccessExplanation,
  expand: readonly ExplanationExpansion[] = [],
): Promise<AccessExplanation> {
  if (expand.length === 0) return explanation;
  const { memberId, pageId, steps } = explanation;
  const named = (id: string | null) => expand.includes('page') && { page: pageName(viewer, id) };
  const nameOf = expand.includes('member') ? await memberNames(tx, viewer, [memberId]) : null;
  return {
    ...explanation,
    steps: expand.includes('page') ? steps.map((step) => ({ ...step, expanded: { ...named(step.pageId) } })) : steps,
    expanded: { ...(nameOf !== null && { member: nameOf(memberId) }), ...named(pageId) },
  };
}

/** The evaluation for a principal, with the pages that the viewer may not see left out. O(depth). */
function* stepsSeen(viewer: Viewer, page: Page, who: Principal | null): Stepwise<AccessStep[]> {
  const path: Page[] = [];
  yield* forEachItemStepwise(pathUp(viewer.structure, page.id), (each) => void path.push(each));
  const seen = yield* pagesSeen(viewer, path);
  const steps = yield* stepsTo(path, who, viewer.structure.workspace.defaultAccess);
  return yield* mapStepwise(steps, (step) =>
    step.pageId === null || seen.has(step.pageId) ? step : { ...step, pageId: null },
  );
}

/** The pages of a path that the viewer sees: one pass from the top down. */
function* pagesSeen({ structure, principal }: Viewer, path: readonly Page[]): Stepwise<ReadonlySet<string>> {
  const seen = new Set<string>();
  let level = baseLevel(principal.role, structure.workspace.defaultAccess);
  yield* forEachItemStepwise(path.toReversed(), (page) => {
    level = levelUnder(page, principal, level);
    if (level >= VIEW) seen.add(page.id);
  });
  return seen;
}

/** The evaluation of `effective`, step by step. */
function* stepsTo(path: readonly Page[], who: Principal | null, defaultAccess: Level): Stepwise<AccessStep[]> {
  if (who === null) return [{ rule: 'none', pageId: null, access: 0 }];
  if (who.role === OWNER) return [{ rule: 'owner', pageId: null, access: FULL }];
  const steps: AccessStep[] = [];
  let cap: Level = FULL;
  let at = 0;
  yield* whileStepwise(() => {
    const page = path[at];
    if (page === undefined) return false;
    const { id: pageId } = page;
    const entry = countingEntry(page, { id: who.memberId, membership: who.membership });
    const isCap = entry !== undefined && entry.membership !== who.membership;
    if (isCap) steps.push({ rule: 'cap', pageId, access: entry.level });
    cap = lower(cap, levelUnder(page, who, FULL));
    if (decides(page, who)) {
      steps.push({ rule: entry === undefined || isCap ? 'default' : 'entry', pageId, access: cap });
      return false;
    }
    if (!isCap) steps.push({ rule: 'silent', pageId, access: null });
    at += 1;
    return true;
  });
  if (at === path.length)
    steps.push({ rule: 'base', pageId: null, access: lower(cap, baseLevel(who.role, defaultAccess)) });
  return steps;
}
