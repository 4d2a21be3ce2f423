import { userOfIdentity } from '../../core/user/provision-external-user.ts';
import assert from 'node:assert/strict';
import type { ExternalIdentity } from '../../core/model/user/external-identity.ts';
import { onStore } from './opened.ts';
import { identity, instant, token, user } from './records.ts';
import { rejected } from './rejected.ts';
import type { StoreTarget } from './target.ts';

export function userContract(target: StoreTarget): void {
  describe('users and tokens', () => {
    it(
      'are found by id and by e-mail',
      onStore(target, async (store) => {
        const ada = user({ email: 'ada@example.org' });
        const bob = user({ email: 'böb@example.org' });
        await store.write(async (tx) => {
          await tx.users.insert(ada);
          await tx.users.insert(bob);
        });
        await store.read(async (tx) => {
          assert.deepEqual(await tx.users.get(ada.id), ada);
          assert.deepEqual(await tx.users.by({ email: 'böb@example.org' }), bob);
          assert.equal(await tx.users.by({ email: 'nobody@example.org' }), null);
          assert.equal(await tx.users.get('no such id'), null);
          assert.equal(await tx.users.get(''), null);
          const found = await tx.users.many([bob.id, 'no such id', ada.id]);
          assert.deepEqual(
            new Map(found),
            new Map([
              [ada.id, ada],
              [bob.id, bob],
            ]),
          );
        });
      }),
    );

    it(
      'an e-mail is taken once, and given free by a change',
      onStore(target, async (store) => {
        const ada = user({ email: 'ada@example.org' });
        const bob = user({ email: 'bob@example.org' });
        await store.write(async (tx) => {
          await tx.users.insert(ada);
          await tx.users.insert(bob);
        });
        await rejected(
          'email-taken',
          store.write((tx) => tx.users.insert(user({ email: ada.email }))),
        );
        await rejected(
          'email-taken',
          store.write((tx) => tx.users.replace({ ...bob, email: ada.email })),
        );
        await store.write(async (tx) => {
          await tx.users.replace({ ...ada, email: 'countess@example.org' });
          await tx.users.replace({ ...bob, email: ada.email });
        });
        await store.read(async (tx) => {
          assert.equal((await tx.users.by({ email: ada.email }))?.id, bob.id);
          assert.equal(await tx.users.by({ email: bob.email }), null);
        });
      }),
    );

    it(
      'are listed by id, part by part',
      onStore(target, async (store) => {
        const users = Array.from({ length: 7 }, () => user());
        await store.write(async (tx) => {
          for (const each of users.toReversed()) await tx.users.insert(each);
        });
        const ids = await store.read(async (tx) => {
          const found: string[] = [];
          for (;;) {
            const part = await tx.users.list('all', {}, { after: found.at(-1) ?? null, limit: 3 });
            if (part.length === 0) return found;
            found.push(...part.map(({ id }) => id));
            assert(found.length <= users.length, 'a part begins behind the one before');
          }
        });
        assert.deepEqual(ids, users.map(({ id }) => id).sort());
      }),
    );

    it(
      'administrators are those not disabled',
      onStore(target, async (store) => {
        const [a, b, c] = [user({ administrator: true }), user({ administrator: true }), user()];
        const ids = () =>
          store.read(async (tx) =>
            (await tx.users.list('administrators', {}, { limit: 5 })).map(({ id }) => id).sort(),
          );
        await store.write(async (tx) => {
          for (const each of [a, b, c]) await tx.users.insert(each);
        });
        assert.deepEqual(await ids(), [a.id, b.id].sort());
        assert.equal((await store.read((tx) => tx.users.list('administrators', {}, { limit: 1 }))).length, 1);
        await store.write(async (tx) => {
          await tx.users.replace({ ...a, disabled: true });
          await tx.users.replace({ ...b, administrator: false });
          await tx.users.replace({ ...c, administrator: true });
        });
        assert.deepEqual(await ids(), [c.id]);
      }),
    );

    it(
      'a token is found by hash, until removed',
      onStore(target, async (store) => {
        const ada = user();
        const first = token(ada.id);
        const second = token(ada.id);
        await store.write(async (tx) => {
          await tx.users.insert(ada);
          await tx.tokens.insert(first);
          await tx.tokens.insert(second);
          await tx.tokens.insert(token(user().id));
        });
        assert.deepEqual(await store.read((tx) => tx.tokens.by({ hash: first.hash })), first);
        await store.write(async (tx) => {
          await tx.tokens.remove(first);
          await tx.tokens.replace({ ...second, expiresAt: instant(1) });
        });
        await store.read(async (tx) => {
          assert.equal(await tx.tokens.by({ hash: first.hash }), null);
          assert.equal(await tx.tokens.get(first.id), null);
          assert.deepEqual(await tx.tokens.list('ofUser', { userId: ada.id }, { limit: 10 }), [
            { ...second, expiresAt: instant(1) },
          ]);
          assert.deepEqual(await tx.tokens.list('ofUser', { userId: ada.id }, { after: second.id, limit: 10 }), []);
        });
      }),
    );

    it(
      'are found by what they are to an issuer, which is nobody else',
      onStore(target, async (store) => {
        const [ada, bob] = [user(), user()];
        const subject = `${'ü'.repeat(250)} 1`;
        const first = identity(ada.id, { subject });
        const others = [identity(ada.id, { issuer: 'https://other.example.org', subject }), identity(bob.id)];
        await store.write(async (tx) => {
          for (const each of [ada, bob]) await tx.users.insert(each);
          assert.equal(await userOfIdentity(tx, { issuer: first.issuer, subject }), null);
          await tx.identities.insert(first);
          assert.deepEqual(await userOfIdentity(tx, { issuer: first.issuer, subject }), ada);
          for (const each of others) await tx.identities.insert(each);
        });
        await rejected(
          'identity-taken',
          store.write((tx) => tx.identities.insert(identity(bob.id, { subject }))),
        );
        await store.write((tx) => tx.users.replace({ ...ada, name: 'Countess' }));
        await store.read(async (tx) => {
          assert.equal((await userOfIdentity(tx, { issuer: first.issuer, subject }))?.name, 'Countess');
          assert.equal((await userOfIdentity(tx, { issuer: 'https://other.example.org', subject }))?.id, ada.id);
          assert.equal((await userOfIdentity(tx, { issuer: first.issuer, subject: others[1]!.subject }))?.id, bob.id);
          for (const [issuer, one] of [
            [first.issuer, subject.slice(0, -1)],
            ['https://issuer.example.org/', subject],
            ['', ''],
          ] as const) {
            assert.equal(await userOfIdentity(tx, { issuer, subject: one }), null);
          }
          const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
          assert.deepEqual((await tx.identities.list('ofUser', { userId: ada.id }, { limit: 1_000 })).toSorted(byId), [
            first,
            others[0],
          ]);
          assert.deepEqual(await tx.identities.list('ofUser', { userId: user().id }, { limit: 1_000 }), []);
          const listed: ExternalIdentity[] = [];
          for (let after: ExternalIdentity | null = null; ; after = listed.at(-1)!) {
            const some: readonly ExternalIdentity[] = await tx.identities.list('all', {}, { after, limit: 2 });
            listed.push(...some);
            if (some.length < 2) break;
          }
          assert.deepEqual(listed.toSorted(byId), [first, ...others].toSorted(byId));
        });
      }),
    );
  });
}
