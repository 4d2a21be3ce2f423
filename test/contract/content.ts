import assert from 'node:assert/strict';
import type { Comment } from '../../core/model/content/comment.ts';
import type { Invitation } from '../../core/model/workspace/invitation.ts';
import type { Store } from '../../core/ports/store.ts';
import { onStore } from './opened.ts';
import { board, comment, instant, invitation, member, newId, page, status, tag, task, workspace } from './records.ts';
import { rejected } from './rejected.ts';
import type { StoreTarget } from './target.ts';

/** Keys that names in documents, objects and their encodings could be taken for. */
const metadata = {
  ...Object.fromEntries(
    ['constructor', 'toString', 'toJSON', '_bsontype', '_id', 'a.b', '.', '5'].map((key) => [key, 'x']),
  ),
  number: -0.5,
  large: 2 ** 53 - 1,
  flag: false,
  text: 'Zoë \u2028 "😀"',
  empty: '',
};

export function contentContract(target: StoreTarget): void {
  describe('boards', () => {
    it(
      'are found by id and externalId in their workspace only',
      onStore(target, async (store) => {
        const [acme, other] = [workspace(), workspace()];
        const one = board(acme.id, { externalId: 'Ä-1' });
        const two = board(acme.id);
        await store.write(async (tx) => {
          await tx.boards.insert(one);
          await tx.boards.insert(two);
          await tx.boards.insert(board(other.id, { externalId: 'Ä-1' }));
        });
        await store.read(async (tx) => {
          assert.deepEqual(await tx.boards.get(acme.id, one.id), one);
          assert.equal(await tx.boards.get(other.id, one.id), null);
          assert.deepEqual(await tx.boards.by({ workspaceId: acme.id, externalId: 'Ä-1' }), one);
          assert.equal(await tx.boards.by({ workspaceId: acme.id, externalId: 'A-1' }), null);
          assert.deepEqual(new Map(await tx.boards.many(acme.id, [two.id, newId()])), new Map([[two.id, two]]));
        });
        await store.write((tx) => tx.boards.remove(one));
        assert.equal(await store.read((tx) => tx.boards.get(acme.id, one.id)), null);
        await store.write((tx) => tx.boards.replace({ ...two, externalId: 'Ä-1' }));
      }),
    );
  });

  describe('metadata', () => {
    it(
      'is kept by records and their parts, whatever its keys are named',
      onStore(target, async (store) => {
        const of = workspace({ metadata });
        const owner = member(of.id, { metadata });
        const root = page(of.id, { metadata, type: 'board' });
        const one = board(of.id, {
          id: root.id,
          metadata,
          statuses: [status({ metadata })],
          tags: [tag({ metadata })],
        });
        const first = task(one, 1, { metadata });
        const edited = { ...first, boardEdits: { count: 1, version: 2, updatedAt: first.updatedAt } };
        const plain = task(one, 2);
        const said = comment(first, { metadata });
        await store.write(async (tx) => {
          await tx.structures.change(await tx.structures.insert(of, owner), { pages: [root] });
          await tx.boards.insert(one);
          await tx.tasks.insert(first);
          await tx.tasks.insert(plain);
          await tx.comments.insert(said);
        });
        const seen = () =>
          store.read(async (tx) => {
            const structure = await tx.structures.get(of.id);
            return [
              structure?.workspace,
              structure?.member(owner.id),
              structure?.page(root.id),
              await tx.boards.get(of.id, one.id),
              await tx.tasks.get(of.id, first.id),
              await tx.tasks.get(of.id, plain.id),
              await tx.comments.get(of.id, said.id),
            ];
          });
        assert.deepEqual(await seen(), [of, owner, root, one, first, plain, said]);
        await store.write(async (tx) => {
          await tx.tasks.replace(edited);
          await tx.boards.replace({ ...one, statuses: [], version: 2 });
        });
        assert.deepEqual(await seen(), [of, owner, root, { ...one, statuses: [], version: 2 }, edited, plain, said]);
        const { metadata: _, ...bare } = edited;
        await store.write((tx) => tx.tasks.replace(bare));
        assert.deepEqual((await seen())[4], bare);
      }),
    );
  });

  describe('externalId', () => {
    for (const [kind, insert, replace] of EXTERNAL) {
      it(
        `of a ${kind} is unique in the workspace`,
        onStore(target, async (store) => {
          const acme = board(newId());
          await insert(store, acme, 'E-1', 1);
          await rejected('external-id-taken', insert(store, acme, 'E-1', 2));
          await insert(store, acme, null, 3);
          await insert(store, acme, null, 4);
          await insert(store, board(newId()), 'E-1', 5);
          const second = await insert(store, acme, 'E-2', 6);
          await rejected('external-id-taken', replace(store, second, 'E-1'));
          await replace(store, second, 'E-2');
          await replace(store, second, null);
          await insert(store, acme, 'E-2', 7);
          await insert(store, acme, 'x'.repeat(199) + '\u{10FFFF}', 8);
        }),
      );
    }
  });

  describe('comments', () => {
    it(
      'come by creation, then id, and are counted to one task',
      onStore(target, async (store) => {
        const kanban = board(newId());
        const [card, neighbour] = [task(kanban, 1), task(kanban, 2)];
        const comments = [3, 1, 2, 1].map((at) => comment(card, { createdAt: instant(at) }));
        await store.write(async (tx) => {
          for (const each of comments) await tx.comments.insert(each);
          await tx.comments.insert(comment(neighbour));
        });
        const [third, first, second, alsoFirst] = comments as [
          (typeof comments)[0],
          (typeof comments)[0],
          (typeof comments)[0],
          (typeof comments)[0],
        ];
        const ofTask = () =>
          store.read((tx) =>
            tx.comments.list('ofTask', { workspaceId: kanban.workspaceId, taskId: card.id }, { limit: Infinity }),
          );
        assert.deepEqual(await ofTask(), [first, alsoFirst, second, third]);
        const edited = { ...second, content: 'No.', edited: true, updatedAt: instant(9), version: 2 };
        await store.write(async (tx) => {
          await tx.comments.replace(edited);
          await tx.comments.remove(first);
        });
        assert.deepEqual(await ofTask(), [alsoFirst, edited, third]);
        await store.read(async (tx) => {
          assert.deepEqual(await tx.comments.get(kanban.workspaceId, second.id), edited);
          assert.equal(await tx.comments.get(newId(), second.id), null);
        });
        const part = (after: Partial<Comment>, limit: number) =>
          store.read((tx) =>
            tx.comments.list('ofTask', { workspaceId: kanban.workspaceId, taskId: card.id }, { after, limit }),
          );
        assert.deepEqual(await part(alsoFirst, 1), [edited]);
        assert.deepEqual(await part(edited, 2), [third]);
        await store.write(async (tx) => {
          for (const each of [alsoFirst, edited, third]) await tx.comments.remove(each);
        });
        assert.deepEqual(await ofTask(), []);
        assert.equal(
          (
            await store.read((tx) =>
              tx.comments.list(
                'ofTask',
                { workspaceId: kanban.workspaceId, taskId: neighbour.id },
                { limit: Infinity },
              ),
            )
          ).length,
          1,
        );
      }),
    );
  });

  describe('invitations', () => {
    it(
      'are listed by creation and found while pending by who sent them',
      onStore(target, async (store) => {
        const acme = workspace();
        const by = newId();
        const sent = [5, 2, 9, 2].map((at) => invitation(acme.id, { createdAt: instant(at), createdById: by }));
        await store.write(async (tx) => {
          for (const each of sent) await tx.invitations.insert(each);
          await tx.invitations.insert(invitation(newId()));
          await tx.invitations.insert(invitation(acme.id, { createdAt: instant(10) }));
        });
        const list = (after: Invitation | null, limit: number) =>
          store.read(async (tx) =>
            (await tx.invitations.list('ofWorkspace', { workspaceId: acme.id }, { after, limit })).map(
              ({ createdAt }) => createdAt,
            ),
          );
        assert.deepEqual(await list(null, 10), [2, 2, 5, 9, 10].map(instant));
        const [head] = await store.read((tx) =>
          tx.invitations.list('ofWorkspace', { workspaceId: acme.id }, { limit: 1 }),
        );
        assert.deepEqual(await list(head ?? null, 2), [2, 5].map(instant));
        const revoked = { ...sent[0], status: 'revoked', version: 2 } as (typeof sent)[0];
        await store.write((tx) => tx.invitations.replace(revoked));
        const pendingBy = (createdById: string, limit: number) =>
          store.read((tx) => tx.invitations.list('pendingBy', { workspaceId: acme.id, createdById }, { limit }));
        const pending = await pendingBy(by, 10);
        assert.deepEqual(new Set(pending.map(({ id }) => id)), new Set(sent.slice(1).map(({ id }) => id)));
        assert.equal((await pendingBy(by, 2)).length, 2);
        assert.deepEqual(await pendingBy(newId(), 10), []);
        assert.deepEqual(await store.read((tx) => tx.invitations.get(revoked.id)), revoked);
        assert.equal((await list(null, 10)).length, 5);
      }),
    );
  });
}

type Insert<T> = (store: Store, on: ReturnType<typeof board>, externalId: string | null, num: number) => Promise<T>;
type Replace<T> = (store: Store, record: T, externalId: string | null) => Promise<void>;

function external<T>(kind: string, insert: Insert<T>, replace: Replace<T>) {
  return [kind, insert as Insert<never>, replace as Replace<never>] as const;
}

const EXTERNAL = [
  external(
    'board',
    async (store, on, externalId) => {
      const record = board(on.workspaceId, { externalId, statuses: [status()] });
      await store.write((tx) => tx.boards.insert(record));
      return record;
    },
    (store, record, externalId) => store.write((tx) => tx.boards.replace({ ...record, externalId })),
  ),
  external(
    'task',
    async (store, on, externalId, num) => {
      const record = task(on, num, { externalId });
      await store.write((tx) => tx.tasks.insert(record));
      return record;
    },
    (store, record, externalId) => store.write((tx) => tx.tasks.replace({ ...record, externalId })),
  ),
  external(
    'comment',
    async (store, on, externalId) => {
      const record = comment(task(on, 1), { externalId });
      await store.write((tx) => tx.comments.insert(record));
      return record;
    },
    (store, record, externalId) => store.write((tx) => tx.comments.replace({ ...record, externalId })),
  ),
];
