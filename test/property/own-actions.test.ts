import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { outcome } from '../support/world.ts';
import { action, VERBS, type Picked, type Run } from './actions.ts';
import { build, plainWorld, WORLDS, type Built } from './plain-world.ts';

async function ownerLeft(built: Built): Promise<boolean> {
  return built.world.store.read(async (tx) => {
    const structure = (await tx.structures.get(built.workspaceId))!;
    for (const member of structure.members()) {
      if (member.active && member.role === 40 && (await tx.users.get(member.userId))?.disabled === false) return true;
    }
    return false;
  });
}

describe('what one does oneself, over random worlds', function () {
  this.timeout(0);

  it('never raises the own access where it is less than 400, and leaves an owner', async () => {
    await fc.assert(
      fc.asyncProperty(
        plainWorld,
        fc.nat(),
        fc.array(action, { minLength: 4, maxLength: 16 }),
        async (plain, by, actions) => {
          const built = await build(plain);
          const at = { workspaceId: built.workspaceId };
          const m = by % plain.members.length;
          const who = built.people[m]!;
          for (const chosen of actions) {
            const before = (await built.matrix())[m]!;
            const picked: Picked = {
              pageId: built.pageIds[chosen.page % built.pageIds.length]!,
              otherId: built.pageIds[chosen.other % built.pageIds.length]!,
              memberId: chosen.flag ? built.memberIds[m]! : built.memberIds[chosen.member % built.memberIds.length]!,
            };
            await outcome((VERBS[chosen.verb] as Run)(who, at, picked, chosen));
            const after = (await built.matrix())[m]!;
            for (const [p, level] of before.entries()) {
              if (level === null || level >= 400 || after[p] === null) continue;
              assert.ok(after[p]! <= level, `${chosen.verb} raised page ${p} from ${level} to ${after[p]}`);
            }
            assert.ok(await ownerLeft(built), `${chosen.verb} left no owner`);
          }
        },
      ),
      { numRuns: WORLDS },
    );
  });

  it('leaves an owner, whoever goes at the same time', async () => {
    const goings = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom('leave', 'demote', 'disable')), {
      minLength: 2,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(plainWorld, goings, async (plain, chosen) => {
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
        assert.ok(await ownerLeft(built));
      }),
      { numRuns: Math.ceil(WORLDS / 2) },
    );
  });
});
