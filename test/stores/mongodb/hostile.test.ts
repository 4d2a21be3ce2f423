import { removeCommentsOf } from '../../../core/comment/of-task.ts';
import { expect } from 'chai';
import type { Store } from '../../../core/ports/store.ts';
import {
  board,
  comment,
  invitation,
  member,
  newId,
  page,
  task,
  token,
  user,
  workspace,
} from '../../contract/records.ts';
import { emptyMongodbStore, mongodbPeer, mongodbUrl } from '../../fixtures/mongodb/mongodb.ts';

/** What could be taken for something else than text. */
const TEXTS = [
  '$where',
  '$ne',
  '$$ROOT',
  '$text.title',
  'a.b.$[]',
  '__proto__',
  'constructor',
  '.*',
  '(a+)+$',
  '\\',
  '\0',
  'a\0b',
  '{"$gt":""}',
  'null',
  '\u{10FFFF}\uE000\uFFFF',
];

/** What no type lets through, but a host without types might pass. */
const VALUES: unknown[] = [
  { $ne: null },
  { $gt: '' },
  { $regex: '.*' },
  { $where: 'true' },
  { $exists: true },
  ['a', { $ne: 1 }],
  { a: { 'b.c': { $in: [1] } } },
  /.*/,
  deep(60),
];

describe('hostile values', function () {
  this.timeout(60_000);
  let store: Store;

  before(async function () {
    await mongodbUrl(this);
    store = await emptyMongodbStore('hostile');
  });

  after(() => store?.close());

  it('are text wherever they are stored, found and searched', async () => {
    const acme = workspace();
    const owner = member(acme.id);
    const kanban = board(acme.id);
    for (const [i, text] of TEXTS.entries()) {
      const ada = user({ name: text, email: `${text}${i}` });
      const card = task(kanban, i + 1, { title: text, description: text, externalId: text, tags: [text] });
      const said = comment(card, { content: text, externalId: text });
      const top = page(acme.id, { name: text, entries: { [text]: { level: 300, membership: 1 } } });
      await store.write(async (tx) => {
        await tx.users.insert(ada);
        await tx.tokens.insert(token(ada.id, { hash: text }));
        await tx.tasks.insert(card);
        await tx.comments.insert(said);
        await tx.invitations.insert(invitation(acme.id, { email: text }));
        const structure = (await tx.structures.get(acme.id)) ?? (await tx.structures.insert(acme, owner));
        await tx.structures.change(structure, { pages: [top] });
      });
      const fresh = await mongodbPeer('hostile');
      await fresh.read(async (tx) => {
        expect(await tx.users.get(ada.id)).to.deep.equal(ada);
        expect((await tx.tokens.by({ hash: text }))?.userId).to.equal(ada.id);
        expect(await tx.tasks.byExternalId(acme.id, text)).to.deep.equal(card);
        expect(await tx.comments.by({ workspaceId: acme.id, externalId: text })).to.deep.equal(said);
        expect(Object.entries((await tx.structures.get(acme.id))?.page(top.id)?.entries ?? {})).to.deep.equal([
          [text, { level: 300, membership: 1 }],
        ]);
        const query = { workspaceId: acme.id, scope: null, filters: [{ text }], after: null, limit: 100 };
        const found = await tx.tasks.find({ ...query, sort: [{ field: 'title', descending: false }, BY_ID] });
        const folded = text.toLowerCase();
        const expected = TEXTS.slice(0, i + 1).filter((other) => other.toLowerCase().includes(folded));
        expect(found.map(({ title }) => title)).to.deep.equal(expected.sort((a, b) => (a < b ? -1 : 1)));
        const tagged = { ...query, filters: [{ field: 'tags', in: [text] }] } as const;
        expect((await tx.tasks.find({ ...tagged, sort: [BY_ID] })).length).to.equal(1);
      });
      await fresh.close();
    }
  });

  it('that are no text find nothing and everything stays', async () => {
    const acme = workspace();
    const kanban = board(acme.id);
    const card = task(kanban, 1);
    await store.write(async (tx) => {
      await tx.boards.insert(kanban);
      await tx.tasks.insert(card);
    });
    for (const value of VALUES as never[]) {
      await store.read(async (tx) => {
        expect(await tx.users.get(value)).to.equal(null);
        expect(await tx.users.by({ email: value })).to.equal(null);
        expect(await tx.tokens.by({ hash: value })).to.equal(null);
        expect(await tx.tokens.get(value)).to.equal(null);
        expect(await tx.invitations.get(value)).to.equal(null);
        expect(await tx.workspaces.by({ alias: value })).to.equal(null);
        expect(await tx.structures.ofUser(value)).to.deep.equal([]);
        expect(await tx.structures.get(value)).to.equal(null);
        expect(await tx.boards.get(value, kanban.id)).to.equal(null);
        expect(await tx.boards.get(acme.id, value)).to.equal(null);
        expect(await tx.tasks.get(acme.id, value)).to.equal(null);
        expect(await tx.tasks.get(value, card.id)).to.equal(null);
        expect(await tx.tasks.byExternalId(acme.id, value)).to.equal(null);
        expect(await tx.tasks.column(value, card.statusId, { limit: 1 })).to.deep.equal([]);
        expect(await tx.tasks.column(acme.id, value, { limit: 1 })).to.deep.equal([]);
        expect(
          await tx.comments.list('ofTask', { workspaceId: acme.id, taskId: value }, { limit: Infinity }),
        ).to.deep.equal([]);
        const query = { workspaceId: value, scope: null, filters: [] };
        expect(await tx.tasks.count(query)).to.equal(0);
      });
      await store.write(async (tx) => {
        expect(await tx.users.get(value)).to.equal(null);
        await tx.tasks.remove({ ...card, id: value });
        await removeCommentsOf(tx, acme.id, value, Infinity);
      });
    }
    expect(await store.read((tx) => tx.tasks.get(acme.id, card.id))).to.deep.equal(card);
    expect(await store.read((tx) => tx.users.get(newId()))).to.equal(null);
  });
});

const BY_ID = { field: 'id', descending: false } as const;

function deep(levels: number): unknown {
  let value: unknown = { $ne: 1 };
  for (let i = 0; i < levels; i += 1) value = { $and: [value] };
  return value;
}
