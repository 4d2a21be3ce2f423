import { assert, expect } from 'chai';
import { rejects } from '../../fixtures/errors.ts';
import type { Session } from '../../../core/session.ts';
import { DAY, outcome } from '../../fixtures/world/world.ts';
import { newRecords, type Records } from '../../fixtures/world/records.ts';

interface Kind {
  readonly name: string;
  readonly path: (records: Records) => object;
  readonly read: (who: Session, records: Records) => Promise<{ readonly version: number }>;
  readonly write: (who: Session, input: never) => Promise<{ readonly version: number }>;
  readonly change: object;
  readonly readOnly: object;
  readonly remove?: (who: Session, input: never) => Promise<void>;
}

const found = <T>(value: T | undefined): T => {
  assert(value !== undefined);
  return value;
};

const KINDS: readonly Kind[] = [
  {
    name: 'workspace',
    path: (s) => s.team.at,
    read: (who, s) => who.workspaces.get(s.team.at),
    write: (who, input) => who.workspaces.update(input),
    change: { name: 'New' },
    readOnly: { alias: 'new' },
    remove: (who, input) => who.workspaces.delete(input),
  },
  {
    name: 'member',
    path: (s) => ({ ...s.team.at, memberId: s.team.member.memberId }),
    read: async (who, s) => found((await who.members.list(s.team.at)).find(({ id }) => id === s.team.member.memberId)),
    write: (who, input) => who.members.update(input),
    change: { position: 'Cook' },
    readOnly: { email: 'x@example.org' },
    remove: (who, input) => who.members.remove(input),
  },
  {
    name: 'page',
    path: (s) => ({ ...s.team.at, pageId: s.pageId }),
    read: (who, s) => who.pages.get({ ...s.team.at, pageId: s.pageId }),
    write: (who, input) => who.pages.update(input),
    change: { name: 'New' },
    readOnly: { type: 'board' },
    remove: (who, input) => who.pages.delete(input),
  },
  {
    name: 'access settings',
    path: (s) => ({ ...s.team.at, pageId: s.pageId }),
    read: (who, s) => who.access.settings({ ...s.team.at, pageId: s.pageId }),
    write: (who, input) => who.access.changeSettings(input),
    change: { inherit: false, defaultAccess: 400 },
    readOnly: { createdAt: '2026-01-01T00:00:00.000Z' },
  },
  {
    name: 'board',
    path: (s) => ({ ...s.team.at, boardId: s.boardId }),
    read: (who, s) => who.boards.get({ ...s.team.at, boardId: s.boardId }),
    write: (who, input) => who.boards.update(input),
    change: { description: 'New' },
    readOnly: { statuses: [] },
    remove: (who, input) => who.boards.delete(input),
  },
  {
    name: 'status',
    path: (s) => ({ ...s.team.at, boardId: s.boardId, statusId: s.statusId }),
    read: async (who, s) => found((await who.boards.get({ ...s.team.at, boardId: s.boardId })).statuses[0]),
    write: (who, input) => who.statuses.update(input),
    change: { name: 'New' },
    readOnly: { createdAt: '2026-01-01T00:00:00.000Z' },
    remove: (who, input) => who.statuses.delete(input),
  },
  {
    name: 'tag',
    path: (s) => ({ ...s.team.at, boardId: s.boardId, tagId: s.tagId }),
    read: async (who, s) => found((await who.boards.get({ ...s.team.at, boardId: s.boardId })).tags[0]),
    write: (who, input) => who.tags.update(input),
    change: { color: 'red' },
    readOnly: { id: 'x' },
    remove: (who, input) => who.tags.delete(input),
  },
  {
    name: 'task',
    path: (s) => ({ ...s.team.at, taskId: s.taskId }),
    read: (who, s) => who.tasks.get({ ...s.team.at, taskId: s.taskId }),
    write: (who, input) => who.tasks.update(input),
    change: { title: 'New' },
    readOnly: { num: 99 },
    remove: (who, input) => who.tasks.delete(input),
  },
  {
    name: 'comment',
    path: (s) => ({ ...s.team.at, taskId: s.taskId, commentId: s.commentId }),
    read: async (who, s) => found((await who.tasks.get({ ...s.team.at, taskId: s.taskId })).comments[0]),
    write: (who, input) => who.comments.update(input),
    change: { content: 'New' },
    readOnly: { authorId: 'x' },
    remove: (who, input) => who.comments.delete(input),
  },
];

for (const kind of KINDS) {
  describe(`a record put back: ${kind.name}`, () => {
    const put = (who: Session, records: Records, fields: object) =>
      kind.write(who, { ...fields, ...kind.path(records) } as never);

    it('changes nothing as it was read, also later', async () => {
      const records = await newRecords();
      const { owner, world, member } = records.team;
      const shown = await kind.read(owner, records);
      expect(await put(owner, records, shown)).to.deep.equal(shown);
      world.pass(DAY);
      await member.pages.list(records.team.at);
      expect((await put(owner, records, shown)).version).to.equal(shown.version);
      expect((await kind.read(owner, records)).version).to.equal(shown.version);
    });

    it('edited, is one version on, with its time', async () => {
      const records = await newRecords();
      const { owner, world } = records.team;
      const shown = await kind.read(owner, records);
      world.pass(DAY);
      const after = await put(owner, records, { ...shown, ...kind.change });
      expect({ ...after, ...kind.change }).to.deep.equal(after);
      expect([after.version, (after as unknown as { updatedAt: string }).updatedAt]).to.deep.equal([
        shown.version + 1,
        world.time(),
      ]);
      expect((await kind.read(owner, records)).version).to.equal(after.version);
    });

    it('with an unknown field or another read-only one is refused', async () => {
      const records = await newRecords();
      const { owner } = records.team;
      const shown = await kind.read(owner, records);
      const [name] = Object.keys(kind.readOnly);
      await rejects(put(owner, records, { ...shown, unheard: 1 }), {
        code: 'invalid-input',
        errors: [{ pointer: '/unheard', detail: 'is not a field of this record' }],
      });
      await rejects(put(owner, records, { ...shown, ...kind.change, ...kind.readOnly }), {
        code: 'invalid-input',
        errors: [{ pointer: `/${name}`, detail: 'is read-only' }],
      });
      expect((await kind.read(owner, records)).version).to.equal(shown.version);
    });

    it('counts only in the version that is expected', async () => {
      const records = await newRecords();
      const { owner } = records.team;
      const { version } = await kind.read(owner, records);
      expect(await outcome(put(owner.ifVersion(version + 1), records, kind.change))).to.equal('version-mismatch');
      expect(await outcome(put(owner.ifVersion(), records, {}))).to.equal('version-mismatch');
      if (kind.remove !== undefined) {
        expect(await outcome(kind.remove(owner.ifVersion(version + 1), kind.path(records) as never))).to.equal(
          'version-mismatch',
        );
      }
      expect(await outcome(put(owner.ifVersion(version + 7, version), records, kind.change))).to.equal('ok');
      expect(await outcome(put(owner.ifVersion(version), records, kind.change))).to.equal('version-mismatch');
    });
  });
}
