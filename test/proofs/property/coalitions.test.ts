import { assert } from 'chai';
import * as fc from 'fast-check';
import { outcome, type Person } from '../../fixtures/world/world.ts';
import { action, VERBS, type Picked, type Run } from './actions.ts';
import { oracle, type PlainWorkspace } from './oracle.ts';
import { build, plainWorkspace, WORLDS, type Built } from './plain-workspace.ts';

/**
 * What a coalition can grant on a page, told from the world as it begins: 400 where one of them has 400 on the
 * page, or on one above it with nothing between that stops inheriting; where one of them may invite and promote,
 * also whatever the page gives to anyone of a role below theirs. Beyond that nobody of them gets more than they have.
 */
function grantable(world: PlainWorkspace, coalition: readonly number[], page: number): number {
  for (let at: number | null = page; at !== null; at = world.pages[at]!.inherit ? world.pages[at]!.parent : null) {
    if (coalition.some((m) => oracle(world, m, at) === 400)) return 400;
  }
  if (!coalition.some((m) => isAdmin(world, m))) return 0;
  // Anyone new, and each of them in another role, with the entries that they have.
  const fresh = { role: 30, active: true, disabled: false, membership: 1 };
  const others = coalition.flatMap((m) => {
    const { membership } = world.members[m]!;
    return [10, 20, 30].map((role) => ({ ...world, members: world.members.with(m, { ...fresh, role, membership }) }));
  });
  const levels = coalition.flatMap((m) => others.map((other) => oracle(other, m, page)));
  const joined = { ...world, members: [...world.members, fresh] };
  return Math.max(...levels, oracle(joined, world.members.length, page));
}

function isAdmin({ members }: PlainWorkspace, m: number): boolean {
  const { role, active, disabled } = members[m]!;
  return active && !disabled && (role === 30 || role === 40);
}

/** One of them invites another, who leaves first. */
async function invited(built: Built, who: Person, colleague: Person, page: string, level: number, role: number) {
  const at = { workspaceId: built.workspaceId };
  const pages = [{ pageId: page, access: level as 0 }];
  const { id } = await who.invitations.create({ ...at, role: role as 10, pages });
  await outcome(colleague.workspaces.get(at).then(({ memberId }) => colleague.members.remove({ ...at, memberId })));
  await colleague.invitations.join({ invitationId: id });
}

describe('what members do together, over random worlds', function () {
  this.timeout(0);

  it('gives none of them more than they had, or than one of them could grant', async () => {
    const steps = fc.array(fc.tuple(fc.nat(), fc.nat(), action), { minLength: 4, maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(
        plainWorkspace,
        fc.array(fc.nat(), { minLength: 2, maxLength: 3 }),
        steps,
        async (plain, by, all) => {
          const built = await build(plain);
          const at = { workspaceId: built.workspaceId };
          const coalition = [...new Set(by.map((n) => n % plain.members.length))];
          const start = await built.matrix();
          const most = plain.pages.map((_, p) => grantable(plain, coalition, p));
          for (const [actor, colleague, chosen] of all) {
            const who = built.people[coalition[actor % coalition.length]!]!;
            const other = coalition[colleague % coalition.length]!;
            const picked: Picked = {
              pageId: built.pageIds[chosen.page % built.pageIds.length]!,
              otherId: built.pageIds[chosen.other % built.pageIds.length]!,
              memberId: built.memberIds[chosen.flag ? other : chosen.member % built.memberIds.length]!,
              invitationIds: [],
            };
            await outcome(
              chosen.verb === 'invite'
                ? invited(built, who, built.people[other]!, picked.pageId, chosen.level, [10, 20, 30, 40][actor % 4]!)
                : (VERBS[chosen.verb] as Run)(who, at, picked, chosen),
            );
            const now = await built.matrix();
            for (const m of coalition) {
              for (const [p, level] of now[m]!.entries()) {
                const bound = Math.max(start[m]![p]!, most[p]!);
                assert(level === null || level <= bound, `${chosen.verb}: member ${m}, page ${p}: ${level} > ${bound}`);
              }
            }
          }
        },
      ),
      { numRuns: WORLDS },
    );
  });
});
