import { expect } from 'chai';
import { mergedMetadata, METADATA, NO_METADATA } from '../../../core/model/metadata.ts';
import { tag } from '../../contract/records.ts';
import { newTeam, type Team } from '../../fixtures/world/team.ts';
import { fault, outcome } from '../../fixtures/world/world.ts';
import type { Metadata, MetadataChanges } from '../../../core/model/metadata.ts';

interface Written {
  readonly metadata: Metadata;
  readonly version: number;
}
interface Kind {
  /** A record with this metadata, and the ways to change and to read it. */
  make(team: Team, metadata: MetadataChanges): Promise<Written & { readonly address: object }>;
  change(team: Team, address: object, metadata: MetadataChanges | null): Promise<Written>;
  read(team: Team, address: object): Promise<Written>;
}

/** Every kind of record with metadata. */
const KINDS: Readonly<Record<string, Kind>> = {
  workspace: {
    async make({ owner }, metadata) {
      const made = await owner.workspaces.create({ name: 'Second', metadata });
      return { ...made, address: { workspaceId: made.id } };
    },
    change: ({ owner }, address, metadata) =>
      owner.workspaces.update({ ...(address as { workspaceId: string }), metadata }),
    read: ({ owner }, address) => owner.workspaces.get(address as { workspaceId: string }),
  },
  page: {
    async make({ owner, at }, metadata) {
      const made = await owner.pages.create({ ...at, name: 'Page', type: 'folder', metadata });
      return { ...made, address: { ...at, pageId: made.id } };
    },
    change: ({ owner }, address, metadata) => owner.pages.update({ ...(address as PageAt), metadata }),
    read: ({ owner }, address) => owner.pages.get(address as PageAt),
  },
  board: {
    async make({ owner, at }, metadata) {
      const made = await owner.boards.create({ ...at, name: 'Board', metadata });
      return { ...made, address: { ...at, boardId: made.id } };
    },
    change: ({ owner }, address, metadata) => owner.boards.update({ ...(address as BoardAt), metadata }),
    read: ({ owner }, address) => owner.boards.get(address as BoardAt),
  },
  status: {
    async make({ owner, at, ...team }, metadata) {
      const { id: boardId } = await team.board('Board');
      const made = await owner.statuses.create({ ...at, boardId, name: 'Later', metadata });
      return { ...made, address: { ...at, boardId, statusId: made.id } };
    },
    change: ({ owner }, address, metadata) => owner.statuses.update({ ...(address as StatusAt), metadata }),
    read: async ({ owner }, address) => {
      const { statuses } = await owner.boards.get(address as BoardAt);
      return statuses.find(({ id }) => id === (address as StatusAt).statusId)!;
    },
  },
  tag: {
    async make({ owner, at, ...team }, metadata) {
      const { id: boardId } = await team.board('Board');
      const made = await owner.tags.create({ ...at, boardId, name: 'bug', metadata });
      return { ...made, address: { ...at, boardId, tagId: made.id } };
    },
    change: ({ owner }, address, metadata) => owner.tags.update({ ...(address as TagAt), metadata }),
    read: async ({ owner }, address) => (await owner.boards.get(address as BoardAt)).tags[0]!,
  },
  task: {
    async make({ owner, at, ...team }, metadata) {
      const { id: boardId } = await team.board('Board');
      const made = await owner.tasks.create({ ...at, boardId, title: 'Task', metadata });
      return { ...made, address: { ...at, taskId: made.id } };
    },
    change: ({ owner }, address, metadata) => owner.tasks.update({ ...(address as TaskAt), metadata }),
    read: ({ owner }, address) => owner.tasks.get(address as TaskAt),
  },
  comment: {
    async make({ owner, at, ...team }, metadata) {
      const taskId = await team.task((await team.board('Board')).id, 'Task');
      const made = await owner.comments.create({ ...at, taskId, content: 'Yes.', metadata });
      return { ...made, address: { ...at, taskId, commentId: made.id } };
    },
    change: ({ owner }, address, metadata) => owner.comments.update({ ...(address as CommentAt), metadata }),
    read: async ({ owner }, address) => (await owner.tasks.get(address as TaskAt)).comments[0]!,
  },
  member: {
    async make({ owner, member, at }, metadata) {
      const address = { ...at, memberId: member.memberId };
      return { ...(await owner.members.update({ ...address, metadata })), address };
    },
    change: ({ owner }, address, metadata) => owner.members.update({ ...(address as MemberAt), metadata }),
    read: async ({ owner, member, at }) => (await owner.members.list(at)).find(({ id }) => id === member.memberId)!,
  },
};

interface At {
  readonly workspaceId: string;
}
type PageAt = At & { readonly pageId: string };
type BoardAt = At & { readonly boardId: string };
type StatusAt = BoardAt & { readonly statusId: string };
type TagAt = BoardAt & { readonly tagId: string };
type TaskAt = At & { readonly taskId: string };
type CommentAt = TaskAt & { readonly commentId: string };
type MemberAt = At & { readonly memberId: string };

describe('the metadata of', () => {
  for (const [name, kind] of Object.entries(KINDS)) {
    it(`a ${name} is merged, and removed key by key or as a whole`, async () => {
      const team = await newTeam();
      const { address, metadata, version } = await kind.make(team, { sprint: 12, 'a.b': 'x', done: false, gone: null });
      expect(metadata).to.deep.equal({ sprint: 12, 'a.b': 'x', done: false });
      const changed = await kind.change(team, address, { sprint: '13', 'a.b': null, more: 0.5 });
      expect(changed.metadata).to.deep.equal({ sprint: '13', done: false, more: 0.5 });
      expect(changed.version).to.equal(version + 1);
      expect(await kind.read(team, address)).to.deep.equal(changed);
      const same = await kind.change(team, address, { sprint: '13', missing: null });
      expect(same.version).to.equal(changed.version);
      const none = await kind.change(team, address, null);
      expect([none.metadata, none.version]).to.deep.equal([{}, version + 2]);
      expect(await kind.read(team, address)).to.deep.equal(none);
      expect((await kind.change(team, address, null)).version).to.equal(none.version);
    });
  }

  it('a record that has none is one shared empty object, and none can be changed by who reads it', async () => {
    const team = await newTeam();
    for (const kind of Object.values(KINDS)) {
      const { address } = await kind.make(team, { a: 1 });
      expect((await kind.read(team, address)).metadata).to.be.frozen;
      await kind.change(team, address, { a: null });
      expect((await kind.read(team, address)).metadata).to.equal(NO_METADATA);
    }
  });

  it('a record that is read and put back stays as it is', async () => {
    const { owner, at, ...team } = await newTeam();
    const { id: boardId } = await team.board('Board');
    const task = await owner.tasks.create({ ...at, boardId, title: 'Task', metadata: { a: 1 } });
    expect((await owner.tasks.update({ ...at, taskId: task.id, ...task })).version).to.equal(1);
  });

  it('a member is written by role 30, and their own by everybody', async () => {
    const team = await newTeam();
    const { owner, member, at } = team;
    const { memberId } = member;
    expect(await outcome(member.members.update({ ...at, memberId, metadata: { a: 1 } }))).to.equal('ok');
    const own = (await owner.members.list(at)).find(({ id }) => id === memberId)!;
    expect(await outcome(member.members.update({ ...own, memberId, metadata: { a: 2 } } as never))).to.equal('ok');
    expect(await outcome(member.members.update({ ...at, memberId }))).to.equal('forbidden');
    expect(await outcome(member.members.update({ ...at, memberId, position: 'Boss', metadata: { a: 1 } }))).to.equal(
      'forbidden',
    );
    const ofOwner = { ...at, memberId: owner.memberId, metadata: { a: 1 } };
    expect(await outcome(member.members.update(ofOwner))).to.equal('forbidden');
  });

  it('a record is one of the fields that the feed says have changed, also when all of it goes', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    for (const name of ['page', 'board', 'task', 'comment', 'member'] as const) {
      const { address } = await KINDS[name]!.make(team, { a: 1 });
      for (const metadata of [{ a: 2 }, null]) {
        let cursor = '';
        await owner.workspaces.get(at, { onCursor: (seen) => (cursor = seen) });
        await KINDS[name]!.change(team, address, metadata);
        const { items } = await owner.changes.list({ ...at, since: cursor, include: ['record'] });
        const told = items.map(({ type, fields, record }) => [type, fields, (record as Written).metadata]);
        expect(told).to.deep.equal([[`${name}.update`, ['metadata'], metadata ?? {}]]);
      }
    }
  });

  it('a task seen without its board is shown, and a change of it is one of the task', async () => {
    const { owner, at, ...team } = await newTeam();
    const { id: boardId } = await team.board('Board');
    const task = await owner.tasks.create({ ...at, boardId, title: 'Task' });
    const page = await owner.pages.create({ ...at, name: 'Task', type: 'task', taskId: task.id });
    const { guest } = team;
    await team.grant(page.id, guest, 100);
    const before = await guest.tasks.get({ ...at, taskId: task.id });
    await owner.tasks.update({ ...at, taskId: task.id, metadata: { a: 1 } });
    const after = await guest.tasks.get({ ...at, taskId: task.id });
    expect([after.boardHidden, after.metadata]).to.deep.equal([true, { a: 1 }]);
    expect(after.version).to.equal(before.version + 1);
    await owner.tasks.update({ ...at, taskId: task.id, metadata: null });
    expect((await guest.tasks.get({ ...at, taskId: task.id })).version).to.equal(before.version + 2);
  });
});

describe('the metadata of the statuses and tags of a board', () => {
  const large: MetadataChanges = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`k${i}`, 'x'.repeat(500)]));
  const bytes = Buffer.byteLength(JSON.stringify(large));
  const fitting = Math.floor(METADATA.bytesOfParts / bytes);
  /** Metadata of this many bytes of JSON. */
  const filled = (size: number): MetadataChanges => {
    const texts = Array.from({ length: Math.floor(size / 500) }, (_, i) => [`k${i}`, 'x'.repeat(480)]);
    const some = { ...Object.fromEntries(texts), last: '' };
    return { ...some, last: 'x'.repeat(size - Buffer.byteLength(JSON.stringify(some))) };
  };

  it('is bounded all together', async () => {
    const { owner, at, board } = await newTeam();
    const { id: boardId, todo: statusId } = await board('Board');
    const on = { ...at, boardId };
    for (let n = 2; n <= fitting; n += 1) await owner.tags.create({ ...on, name: `Tag ${n}`, metadata: large });
    const { id: tagId } = await owner.tags.create({ ...on, name: 'Tag' });
    expect(await fault(owner.statuses.update({ ...on, statusId, metadata: large }))).to.equal('ok');
    const { version } = await owner.boards.get(on);
    for (const call of [
      () => owner.statuses.create({ ...on, name: 'More', metadata: large }),
      () => owner.tags.create({ ...on, name: 'More', metadata: large }),
      () => owner.tags.update({ ...on, tagId, metadata: large }),
    ]) {
      expect(await fault(call())).to.equal('invalid-input /metadata');
    }
    expect((await owner.boards.get(on)).version).to.equal(version);
    expect(await fault(owner.tags.update({ ...on, tagId, name: 'Renamed' }))).to.equal('ok');
    const rest = filled(METADATA.bytesOfParts - fitting * bytes);
    expect(await fault(owner.tags.update({ ...on, tagId, metadata: { ...rest, more: 1 } }))).to.match(/^invalid-input/);
    expect(await fault(owner.tags.update({ ...on, tagId, metadata: rest }))).to.equal('ok');
    await owner.statuses.update({ ...on, statusId, metadata: null });
    expect(await fault(owner.tags.update({ ...on, tagId, metadata: large }))).to.equal('ok');
  });

  it('may stay or shrink where it is above the bound already', async () => {
    const { world, owner, at, board } = await newTeam();
    const { id: boardId, todo: statusId } = await board('Board');
    const on = { ...at, boardId };
    await world.store.write(async (tx) => {
      const stored = (await tx.boards.get(at.workspaceId, boardId))!;
      const tags = Array.from({ length: fitting + 2 }, (_, n) => tag({ name: `${n}`, metadata: large as Metadata }));
      await tx.boards.replace({ ...stored, tags });
    });
    const [first, last] = (await owner.boards.get(on)).tags;
    expect(await fault(owner.tags.create({ ...on, name: 'More', metadata: { a: 1 } }))).to.equal(
      'invalid-input /metadata',
    );
    expect(await fault(owner.tags.create({ ...on, name: 'More' }))).to.equal('ok');
    expect(await fault(owner.statuses.update({ ...on, statusId, name: 'Renamed' }))).to.equal('ok');
    expect(await fault(owner.tags.update({ ...on, tagId: first!.id, metadata: { k0: null } }))).to.equal('ok');
    expect(await fault(owner.tags.delete({ ...on, tagId: last!.id }))).to.equal('ok');
    expect(await fault(owner.boards.update({ ...on, name: 'Renamed' }))).to.equal('ok');
    expect(await fault(owner.boards.delete({ ...on, permanently: true }))).to.equal('ok');
  });
});

describe('metadata', () => {
  const merged = (changes: MetadataChanges, before: Metadata = NO_METADATA) =>
    fault(Promise.resolve().then(() => mergedMetadata(before, changes)));
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));

  it('is bounded in its keys, their names, its values and its size behind the merge', async () => {
    expect(await merged(keys(METADATA.keys))).to.equal('ok');
    expect(await merged(keys(METADATA.keys + 1))).to.equal('invalid-input /metadata');
    expect(await merged({ more: 1 }, keys(METADATA.keys))).to.equal('invalid-input /metadata');
    expect(await merged({ more: 1, k0: null }, keys(METADATA.keys))).to.equal('ok');
    expect(await merged({ ['k'.repeat(40)]: 'x'.repeat(500) })).to.equal('ok');
    expect(await merged({ ['k'.repeat(41)]: 1 })).to.match(/^invalid-input/);
    for (const name of ['', 'a b', 'ä', 'a/b', '$a', 'a\n']) expect(await merged({ [name]: 1 })).to.match(/^invalid/);
    expect(await merged({ a: 'x'.repeat(501) })).to.equal('invalid-input /metadata/a');
    expect(await merged({ a: '😀'.repeat(500) })).to.equal('ok');
    expect(await merged({ a: '😀'.repeat(501) })).to.equal('invalid-input /metadata/a');
    expect(await merged({ a: NaN, b: Infinity })).to.equal('invalid-input /metadata/a /metadata/b');
    expect(await merged({ a: { b: 1 } as never, c: undefined as never })).to.equal('invalid-input /metadata/a');
  });

  it('is up to 8 KB of UTF-8', async () => {
    // Fifteen times 500 characters of two bytes, and one that fills what is left.
    const filled = (bytes: number) => {
      const all: Record<string, string> = {};
      for (let i = 10; i < 18; i += 1) all[`k${i}`] = 'é'.repeat(500);
      const left = bytes - Buffer.byteLength(JSON.stringify({ ...all, last: '' }));
      return { ...all, last: 'x'.repeat(left) };
    };
    const full = filled(METADATA.bytes);
    expect(Buffer.byteLength(JSON.stringify(full))).to.equal(METADATA.bytes);
    expect(await merged(full)).to.equal('ok');
    expect(await merged({ ...full, last: `${full.last}x` })).to.equal('invalid-input /metadata');
    expect(await merged({ ...full, last: full.last.replace('x', '€') })).to.equal('invalid-input /metadata');
    expect(await merged({ ...full, last: full.last.replace('xxxx', '😀') })).to.equal('ok');
  });

  it('takes names that objects have of themselves as any other, but for the one that is refused', async () => {
    const names = ['constructor', 'toString', 'hasOwnProperty', 'toJSON', '_bsontype', '_id', '5', '.', '..'];
    const given = Object.fromEntries(names.map((name) => [name, 'x']));
    expect(mergedMetadata(NO_METADATA, given)).to.deep.equal(given);
    expect(mergedMetadata(NO_METADATA, { constructor: null as never, a: 1 })).to.deep.equal({ a: 1 });
    const hostile = JSON.parse('{"__proto__": "x"}') as MetadataChanges;
    expect(await merged(hostile)).to.match(/^invalid-input/);
    expect(Object.getPrototypeOf(mergedMetadata(NO_METADATA, given))).to.equal(Object.prototype);
  });
});
