import { userOfIdentity } from '../../core/user/provision-external-user.ts';
import { removeCommentsOf } from '../../core/comment/of-task.ts';
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Store, Transaction } from '../../core/ports/store.ts';
import { onStore } from './opened.ts';
import {
  board,
  change,
  comment,
  identity,
  instant,
  invitation,
  member,
  page,
  purge,
  task,
  token,
  user,
  workspace,
} from './records.ts';
import { rejected } from './rejected.ts';
import type { StoreTarget } from './target.ts';

export function transactionContract(target: StoreTarget): void {
  describe('transactions', () => {
    it(
      'return what work returns',
      onStore(target, async (store) => {
        assert.equal(await store.write(async () => 'written'), 'written');
        assert.equal(await store.read(async () => 'read'), 'read');
        await store.ready();
      }),
    );

    it(
      'let what work throws through, untouched',
      onStore(target, async (store) => {
        const error = new RangeError('of the host');
        const fail = async (): Promise<never> => {
          throw error;
        };
        await assert.rejects(store.write(fail), (thrown) => thrown === error);
        await assert.rejects(store.read(fail), (thrown) => thrown === error);
      }),
    );

    it(
      'stand up to work that throws before it returns a promise',
      onStore(target, async (store) => {
        const error = new RangeError('at once');
        const fail = (): never => {
          throw error;
        };
        await assert.rejects(store.write(fail), (thrown) => thrown === error);
        await assert.rejects(store.read(fail), (thrown) => thrown === error);
        await store.write((tx) => tx.users.insert(user()));
      }),
    );

    it(
      'see their own writes',
      onStore(target, async (store) => {
        const ada = user();
        await store.write(async (tx) => {
          await tx.users.insert(ada);
          assert.deepEqual(await tx.users.by({ email: ada.email }), ada);
          await tx.users.replace({ ...ada, name: 'Countess' });
          assert.equal((await tx.users.get(ada.id))?.name, 'Countess');
          assert.equal((await tx.users.list('all', {}, { limit: 10 })).length, 1);
        });
      }),
    );

    it(
      'leave nothing behind when they throw, in any repository or index',
      onStore(target, async (store) => {
        const all = everything();
        await assert.rejects(
          store.write(async (tx) => {
            const structure = await tx.structures.insert(all.workspace, all.owner);
            await tx.structures.change(structure, { pages: [all.page] });
            await tx.users.insert(all.user);
            await tx.tokens.insert(all.token);
            await tx.identities.insert(all.identity);
            await tx.invitations.insert(all.invitation);
            await tx.boards.insert(all.board);
            await tx.tasks.insert(all.task);
            await tx.comments.insert(all.comment);
            await tx.activity.touch(all.owner.id, instant());
            await tx.jobs.insert(all.purge);
            await tx.changes.insert(change(all.workspace.id));
            throw new RangeError('after all');
          }),
          RangeError,
        );
        await expectNothing(store, all);
      }),
    );

    it(
      'put back what a failed one replaced and removed',
      onStore(target, async (store) => {
        const all = everything();
        await store.write(async (tx) => {
          await tx.structures.insert(all.workspace, all.owner);
          await tx.boards.insert(all.board);
          await tx.tasks.insert(all.task);
          await tx.comments.insert(all.comment);
        });
        await assert.rejects(
          store.write(async (tx) => {
            await tx.tasks.replace({ ...all.task, externalId: 'moved', statusOrderKey: 7, assignees: [all.owner.id] });
            await tx.boards.remove(all.board);
            await removeCommentsOf(tx, all.workspace.id, all.task.id, Infinity);
            throw new RangeError('after all');
          }),
          RangeError,
        );
        await store.read(async (tx) => {
          assert.deepEqual(await tx.tasks.column(all.workspace.id, all.task.statusId, { limit: 5 }), [all.task]);
          assert.deepEqual(await tx.tasks.byExternalId(all.workspace.id, 'T-1'), all.task);
          assert.equal(await tx.tasks.byExternalId(all.workspace.id, 'moved'), null);
          assert.deepEqual(await tx.boards.by({ workspaceId: all.workspace.id, externalId: 'B-1' }), all.board);
          assert.deepEqual(
            await tx.comments.list(
              'ofTask',
              { workspaceId: all.workspace.id, taskId: all.task.id },
              { limit: Infinity },
            ),
            [all.comment],
          );
        });
      }),
    );

    it(
      'leave their neighbours alone when they throw',
      onStore(target, async (store) => {
        const users = Array.from({ length: 20 }, () => user());
        const results = await Promise.allSettled(
          users.map((each, i) =>
            store.write(async (tx) => {
              await tx.users.insert(each);
              // A store may have to undo more where a list has shown what was written.
              if (i % 4 === 3) await tx.users.list('all', {}, { limit: 1 });
              if (i % 2 === 1) throw new RangeError('odd');
            }),
          ),
        );
        const even = users.filter((_, i) => i % 2 === 0);
        assert.deepEqual(
          results.map(({ status }) => status),
          users.map((_, i) => (i % 2 === 0 ? 'fulfilled' : 'rejected')),
        );
        const kept = await store.read((tx) => tx.users.list('all', {}, { limit: 100 }));
        assert.deepEqual(new Set(kept.map(({ id }) => id)), new Set(even.map(({ id }) => id)));
      }),
    );

    it(
      'run in the asynchronous context of their caller, again too',
      onStore(target, async (store) => {
        const contexts = new AsyncLocalStorage<number>();
        const seen = Array.from({ length: 20 }, () => new Set<unknown>());
        const inContext = <T>(i: number, call: () => Promise<T>) =>
          contexts.run(i, async () => {
            const settled = await call().catch((error: unknown) => error);
            seen[i]!.add(contexts.getStore());
            return settled;
          });
        await Promise.all(
          seen.map((own, i) =>
            inContext(i, () =>
              store.write(async (tx) => {
                own.add(contexts.getStore());
                await tx.users.insert(user());
                own.add(contexts.getStore());
                if (i % 4 === 3) await tx.users.list('all', {}, { limit: 1 });
                if (i % 2 === 1) throw new RangeError('odd');
              }),
            ),
          ),
        );
        await Promise.all(
          seen.map((own, i) =>
            inContext(i, () =>
              store.read(async (tx) => {
                own.add(contexts.getStore());
                await tx.users.list('all', {}, { limit: 1 });
                own.add(contexts.getStore());
              }),
            ),
          ),
        );
        assert.deepEqual(
          seen.map((own) => [...own]),
          seen.map((_, i) => [i]),
        );
      }),
    );

    it(
      'cannot be written once they are over',
      onStore(target, async (store) => {
        const [ada, bob] = [user(), user()];
        const over: Transaction[] = [];
        await store.write(async (tx) => {
          over.push(tx);
          await tx.users.insert(ada);
        });
        await Promise.all([
          store.write((tx) => tx.users.insert(bob)),
          ...over.map((tx) => assert.rejects(tx.users.insert(user()))),
        ]);
        assert.equal((await store.read((tx) => tx.users.list('all', {}, { limit: 9 }))).length, 2);
      }),
    );

    it(
      'refuse calls after the store is closed, which may happen more than once',
      onStore(target, async (store) => {
        const writing = store.write((tx) => tx.users.insert(user()));
        await store.close();
        await writing;
        await store.close();
        await rejected(
          'store-unavailable',
          store.read(async () => 1),
        );
        await rejected(
          'store-unavailable',
          store.write(async () => 1),
        );
        await rejected('store-unavailable', store.ready());
      }),
    );
  });
}

function everything() {
  const ada = user();
  const acme = workspace();
  const owner = member(acme.id, { userId: ada.id });
  const kanban = board(acme.id, { externalId: 'B-1' });
  const card = task(kanban, 1, { externalId: 'T-1' });
  return {
    user: ada,
    token: token(ada.id),
    identity: identity(ada.id),
    workspace: acme,
    owner,
    page: page(acme.id),
    invitation: invitation(acme.id, { createdById: owner.id }),
    board: kanban,
    task: card,
    comment: comment(card, { externalId: 'C-1' }),
    purge: purge(acme.id),
  };
}

async function expectNothing(store: Store, all: ReturnType<typeof everything>): Promise<void> {
  const { id } = all.workspace;
  await store.read(async (tx) => {
    assert.equal(await tx.structures.get(id), null);
    assert.equal(await tx.workspaces.by({ alias: all.workspace.alias }), null);
    assert.deepEqual(await tx.workspaces.list('all', {}, { limit: 10 }), []);
    assert.deepEqual(await tx.structures.ofUser(all.user.id), []);
    assert.equal(await tx.users.by({ email: all.user.email }), null);
    assert.equal(await tx.tokens.by({ hash: all.token.hash }), null);
    assert.deepEqual(await tx.tokens.list('ofUser', { userId: all.user.id }, { limit: 10 }), []);
    assert.equal(await userOfIdentity(tx, { issuer: all.identity.issuer, subject: all.identity.subject }), null);
    assert.deepEqual(await tx.identities.list('ofUser', { userId: all.user.id }, { limit: 1_000 }), []);
    assert.deepEqual(await tx.invitations.list('ofWorkspace', { workspaceId: id }, { limit: 10 }), []);
    assert.deepEqual(
      await tx.invitations.list('pendingBy', { workspaceId: id, createdById: all.owner.id }, { limit: 10 }),
      [],
    );
    assert.equal(await tx.boards.by({ workspaceId: id, externalId: 'B-1' }), null);
    assert.equal(await tx.tasks.get(id, all.task.id), null);
    assert.equal(await tx.tasks.byExternalId(id, 'T-1'), null);
    assert.equal(await tx.tasks.count({ workspaceId: id, scope: null, filters: [] }), 0);
    assert.deepEqual(await tx.tasks.column(id, all.task.statusId, { limit: 10 }), []);
    assert.deepEqual(
      await tx.comments.list('ofTask', { workspaceId: id, taskId: all.task.id }, { limit: Infinity }),
      [],
    );
    assert.equal(await tx.comments.by({ workspaceId: id, externalId: 'C-1' }), null);
    assert.equal((await tx.activity.of([all.owner.id])).size, 0);
    assert.deepEqual(await tx.jobs.list('all', {}, { limit: 10 }), []);
    assert.deepEqual(await tx.changes.list('ofWorkspace', { workspaceId: id }, { limit: 10 }), []);
  });
}
