import assert from 'node:assert/strict';
import { onStore } from './opened.ts';
import { fresh, instant, invitation, member, newId, token, workspace } from './records.ts';
import type { StoreTarget } from './target.ts';

/** What quotas are kept in, and what they count. */
export function limitContract(target: StoreTarget): void {
  describe('quotas', () => {
    it(
      'are kept in one record of settings, or none',
      onStore(target, async (store) => {
        assert.equal(await store.read((tx) => tx.settings.get()), null);
        const settings = { quotas: { tasks: 7, depth: null }, ...fresh };
        await store.write(async (tx) => {
          await tx.settings.put(settings);
          assert.deepEqual(await tx.settings.get(), settings);
        });
        assert.deepEqual(await store.read((tx) => tx.settings.get()), settings);
        const next = { ...settings, quotas: { comments: 1 }, version: 2 };
        await store.write((tx) => tx.settings.put(next));
        assert.deepEqual(await store.read((tx) => tx.settings.get()), next);
      }),
    );

    it(
      'count the tokens of a user, up to a limit',
      onStore(target, async (store) => {
        const [ada, bob] = [newId(), newId()];
        const tokens = [token(ada), token(ada), token(ada), token(bob)];
        const count = (userId: string, limit: number) =>
          store.write((tx) => tx.tokens.count('ofUser', { userId }, { limit }));
        assert.equal(await count(ada, 5), 0);
        await store.write(async (tx) => {
          for (const each of tokens) await tx.tokens.insert(each);
          assert.equal(await tx.tokens.count('ofUser', { userId: ada }, { limit: 5 }), 3);
        });
        assert.deepEqual([await count(ada, 5), await count(ada, 2), await count(bob, 5)], [3, 2, 1]);
        await store.write((tx) => tx.tokens.remove(tokens[0]!));
        assert.equal(await count(ada, 5), 2);
      }),
    );

    it(
      'count the workspaces of which a user is an active member, up to a limit',
      onStore(target, async (store) => {
        const userId = newId();
        const count = (limit: number) => store.write((tx) => tx.structures.countOfUser(userId, limit));
        const made = [workspace(), workspace(), workspace()];
        const members = made.map(({ id }) => member(id, { userId }));
        await store.write(async (tx) => {
          for (const [i, each] of made.entries()) await tx.structures.insert(each, members[i]!);
          assert.equal(await tx.structures.countOfUser(userId, 5), 3);
        });
        assert.deepEqual([await count(5), await count(2), await count(3)], [3, 2, 3]);
        await store.write(async (tx) => {
          const structure = (await tx.structures.get(made[0]!.id))!;
          await tx.structures.change(structure, { members: [{ ...members[0]!, active: false }] });
          assert.equal(await tx.structures.countOfUser(userId, 5), 2);
        });
        await store.write(async (tx) => tx.structures.remove((await tx.structures.get(made[1]!.id))!));
        assert.equal(await count(5), 1);
      }),
    );

    it(
      'count the pending invitations of a workspace that are not expired, up to a limit',
      onStore(target, async (store) => {
        const [here, elsewhere] = [workspace(), workspace()];
        const expiring = [1, 2, 3].map((i) => invitation(here.id, { expiresAt: instant(i * 1_000) }));
        const other = invitation(elsewhere.id, { expiresAt: instant(5_000) });
        const count = (now: number, limit = 9) =>
          store.write((tx) =>
            tx.invitations.count(
              'pendingByExpiry',
              { workspaceId: here.id },
              { after: { expiresAt: instant(now) }, limit },
            ),
          );
        await store.write(async (tx) => {
          for (const each of [here, elsewhere]) await tx.structures.insert(each, member(each.id));
          for (const each of [...expiring, other]) await tx.invitations.insert(each);
          assert.equal(
            await tx.invitations.count(
              'pendingByExpiry',
              { workspaceId: here.id },
              { after: { expiresAt: instant(0) }, limit: 9 },
            ),
            3,
          );
        });
        assert.deepEqual([await count(0), await count(0, 2)], [3, 2]);
        assert.deepEqual([await count(999), await count(1_000), await count(3_000)], [3, 2, 0]);
        await store.write((tx) => tx.invitations.replace({ ...expiring[2]!, status: 'revoked' }));
        assert.equal(await count(0), 2);
        await store.write(async (tx) => tx.structures.remove((await tx.structures.get(here.id))!));
        await store.write(async (tx) => {
          for (const each of expiring) await tx.invitations.remove(each);
        });
        assert.equal(await count(0), 0);
      }),
    );
  });
}
