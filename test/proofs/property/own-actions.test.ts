import { assert } from 'chai';
import * as fc from 'fast-check';
import { LEVELS, type Level } from '../../../core/model/access/level.ts';
import { outcome } from '../../fixtures/world/world.ts';
import { action, VERBS, type Picked, type Run } from './actions.ts';
import { build, plainWorkspace, WORLDS, type Built } from './plain-workspace.ts';

async function ownerLeft(built: Built): Promise<boolean> {
  return built.world.store.read(async (tx) => {
    const structure = (await tx.structures.get(built.workspaceId))!;
    for (const member of structure.members()) {
      if (member.active && member.role === 40 && (await tx.users.get(member.userId))?.disabled === false) return true;
    }
    return false;
  });
}

interface Offer {
  readonly role: number;
  readonly addressed: boolean;
  readonly pages: readonly (readonly [number, Level])[];
}

const level = fc.constantFrom(...LEVELS);

const offer: fc.Arbitrary<Offer> = fc.record({
  role: fc.constantFrom(40, 30, 30, 20, 20, 10, 10),
  addressed: fc.boolean(),
  pages: fc.array(fc.tuple(fc.nat(), level), { maxLength: 3 }),
});

/** What an owner has offered before: to anybody, or to this member while they are one; to no higher role than theirs. */
async function invitationsTo(built: Built, m: number, most: number, offers: readonly Offer[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { role, addressed, pages } of offers) {
    if (role > most) continue;
    const grants = new Map(pages.map(([page, access]) => [built.pageIds[page % built.pageIds.length]!, access]));
    const create = built.people[0]!.invitations.create({
      workspaceId: built.workspaceId,
      role: role as 40,
      ...(addressed ? { email: `user${m}@example.org` } : {}),
      pages: Array.from(grants, ([pageId, access]) => ({ pageId, access })),
    });
    // An owner gets nothing but 400, and a guest no 400.
    if ((await outcome(create)) === 'ok') ids.push((await create).id);
  }
  return ids;
}

describe('what one does oneself, over random worlds', function () {
  this.timeout(0);

  it('never raises the own access where it is less than 400, and leaves an owner', async () => {
    await fc.assert(
      fc.asyncProperty(
        plainWorkspace,
        fc.nat(),
        fc.array(offer, { maxLength: 5 }),
        fc.array(action, { minLength: 4, maxLength: 20 }),
        async (plain, by, offers, actions) => {
          const built = await build(plain);
          const at = { workspaceId: built.workspaceId };
          const m = by % plain.members.length;
          const who = built.people[m]!;
          // An invitation admits a user who is no member, and one to a higher role raises the role.
          const { role, active } = plain.members[m]!;
          const invitationIds = active ? await invitationsTo(built, m, role, offers) : [];
          const atFirst = (await built.matrix())[m]!;
          let before = atFirst;
          for (const chosen of actions) {
            built.world.pass(1_000);
            const picked: Picked = {
              pageId: built.pageIds[chosen.page % built.pageIds.length]!,
              otherId: built.pageIds[chosen.other % built.pageIds.length]!,
              memberId: chosen.flag ? built.memberIds[m]! : built.memberIds[chosen.member % built.memberIds.length]!,
              invitationIds,
            };
            await outcome((VERBS[chosen.verb] as Run)(who, at, picked, chosen));
            const after = (await built.matrix())[m]!;
            // With an invitation somebody who has gone down comes back to what they had, and never to more.
            const most = chosen.verb === 'join' ? atFirst : before;
            for (const [p, level] of most.entries()) {
              if (level === null || atFirst[p]! >= 400 || level >= 400 || after[p] === null) continue;
              assert(after[p]! <= level, `${chosen.verb} raised page ${p} from ${level} to ${after[p]}`);
            }
            before = after;
            assert(await ownerLeft(built), `${chosen.verb} left no owner`);
          }
        },
      ),
      { numRuns: WORLDS },
    );
  });

  it('leaves an owner, when several leave at the same time', async () => {
    const goings = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom('leave', 'demote', 'disable')), {
      minLength: 2,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(plainWorkspace, goings, async (plain, chosen) => {
        const built = await build(plain);
        const at = { workspaceId: built.workspaceId };
        await Promise.all(
          chosen.map(([by, whom, how]) => {
            const who = built.people[by % built.people.length]!;
            const m = whom % built.people.length;
            const memberId = built.memberIds[m]!;
            if (how === 'leave') return outcome(who.members.remove({ ...at, memberId }));
            if (how === 'demote') return outcome(who.members.update({ ...at, memberId, role: 10 }));
            return outcome(built.world.operator.users.update({ userId: built.people[m]!.userId, disabled: true }));
          }),
        );
        assert(await ownerLeft(built));
      }),
      { numRuns: Math.ceil(WORLDS / 2) },
    );
  });
});
