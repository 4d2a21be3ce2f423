import type { Context } from '../ports/context.ts';
import { notFound } from '../kernel/errors.ts';
import type { Page } from '../model/page.ts';
import { pageAt } from '../page/read.ts';
import { read } from '../write/transaction.ts';
import { FULL, VIEW, type Level } from '../model/level.ts';
import { effective, pathUp, principalOf, levelSetOn, type Principal } from './resolve.ts';
import { baseLevel, OWNER } from '../model/role.ts';
import { viewerOf, sees } from './viewer.ts';

/** One thing looked at on the way to a level, in the order of looking; the last one decides. */
export interface AccessStep {
  /**
   * `owner`: an owner has full access. `entry`: set on a page for this member. `default`: a page that does
   * not inherit. `silent`: a page that says nothing. `base`: the role in the workspace. `none`: no access at all.
   */
  readonly rule: 'owner' | 'entry' | 'default' | 'silent' | 'base' | 'none';
  /** The page it stands on; null for the workspace and for a page that the caller may not see. */
  readonly pageId: string | null;
  /** What it gives after the ceiling of the role; null when it is silent. */
  readonly access: Level | null;
}

export interface AccessExplanation {
  readonly memberId: string;
  readonly role: number;
  readonly pageId: string;
  readonly access: Level;
  readonly steps: readonly AccessStep[];
}

/** How a member comes to the level they have. Needs 100 for oneself, 400 for others. */
export function explainAccess(
  context: Context,
  input: { readonly workspaceId: string; readonly pageId: string; readonly memberId?: string },
): Promise<AccessExplanation> {
  return read(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    const memberId = input.memberId ?? viewer.member.id;
    const page = pageAt(viewer, input.pageId, memberId === viewer.member.id ? VIEW : FULL);
    const member = viewer.structure.member(memberId);
    if (member === undefined || !member.active) throw notFound();
    const user = (await tx.users.many([member.userId])).get(member.userId);
    const who = principalOf(member, user);
    const above = [...pathUp(viewer.structure, page.id)];
    const steps = stepsTo(above, who, viewer.structure.workspace.defaultAccess).map((step) =>
      step.pageId === null || sees(viewer, step.pageId) ? step : { ...step, pageId: null },
    );
    const access = effective(viewer.structure, who, page.id);
    return { memberId, role: member.role, pageId: page.id, access, steps };
  });
}

function stepsTo(path: readonly Page[], who: Principal | null, defaultAccess: Level): AccessStep[] {
  if (who === null) return [{ rule: 'none', pageId: null, access: 0 }];
  if (who.role === OWNER) return [{ rule: 'owner', pageId: null, access: FULL }];
  const steps: AccessStep[] = [];
  for (const page of path) {
    const access = levelSetOn(page, who) ?? null;
    const rule = access === null ? 'silent' : page.entries[who.memberId] === undefined ? 'default' : 'entry';
    steps.push({ rule, pageId: page.id, access });
    if (access !== null) return steps;
  }
  return [...steps, { rule: 'base', pageId: null, access: baseLevel(who.role, defaultAccess) }];
}
