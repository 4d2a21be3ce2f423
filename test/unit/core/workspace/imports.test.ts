import { expect } from 'chai';
import type { ImportBoard } from '../../../../core/import/imported-board.ts';
import { expectSound, newTeam } from '../../../fixtures/world/team.ts';
import { DAY, newWorld, outcome, type World } from '../../../fixtures/world/world.ts';

async function newImport(world?: World) {
  const team = await newTeam(world);
  const input: ImportBoard = {
    workspaceId: team.workspaceId,
    memberId: team.admin.memberId,
    externalId: 'B',
    name: ' Imported ',
    statuses: [{ name: 'To do' }, { name: 'Done', done: true }],
    tags: [{ name: 'Bug', color: 'RED' }],
    tasks: [
      {
        externalId: 'T1',
        title: 'one',
        status: 'To do',
        tags: ['bug'],
        assignees: [team.member.memberId],
        createdById: team.member.memberId,
        createdAt: '2020-01-01T00:00:00.000Z',
        comments: [
          {
            externalId: 'C2',
            content: 'later',
            createdAt: '2020-01-03T00:00:00.000Z',
            editedAt: '2020-01-04T00:00:00.000Z',
          },
          { externalId: 'C1', content: 'first', authorId: team.member.memberId, createdAt: '2020-01-02T00:00:00.000Z' },
        ],
      },
      {
        externalId: 'T2',
        title: 'two',
        status: 'Done',
        checklist: [
          { text: 'later', assigneeId: team.owner.memberId },
          { text: ' at last ', done: true },
        ],
      },
      {
        externalId: 'T3',
        title: 'three',
        status: 'To do',
        plannedStartDate: '2026-01-01',
        plannedEndDate: '2026-01-02',
      },
    ],
  };
  return {
    ...team,
    input,
    run: (changes: Partial<ImportBoard> = {}) => team.world.operator.imports.board({ ...input, ...changes }),
  };
}

const NONE = { boards: 0, statuses: 0, tags: 0, tasks: 0, trashed: 0, checklistItems: 0, comments: 0 };
const ALL = { boards: 1, statuses: 2, tags: 1, tasks: 3, trashed: 0, checklistItems: 2, comments: 2 };

describe('importing a board', () => {
  it('puts what was archived into the trash, once, from where it comes back whole', async () => {
    const { run, input, owner, at, ...team } = await newImport(newWorld(undefined, 0, undefined, DAY));
    const tasks = input.tasks.map((task, n) => (n < 2 ? { ...task, archived: true } : task));
    const { created, boardId } = await run({ tasks });
    expect(created).to.deep.equal({ ...ALL, trashed: 2 });
    expect((await owner.tasks.list(at)).items.map(({ title }) => title)).to.deep.equal(['three']);
    await expectSound({ ...team, owner, at });
    const again = await run({ tasks });
    expect([again.created, again.existing]).to.deep.equal([NONE, { ...ALL, trashed: 2 }]);
    const { items } = await owner.trash.list(at);
    expect(items.map(({ name, deletedById }) => [name, deletedById])).to.deep.equal([
      ['two', input.memberId],
      ['one', input.memberId],
    ]);
    for (const { id: trashId } of items) await owner.trash.restore({ ...at, trashId });
    const whole = await newImport();
    await whole.run();
    const shown = async ({ at: there, owner: reader }: Pick<typeof whole, 'at' | 'owner'>) => {
      const { items: listed } = await reader.tasks.list({ ...there, sort: ['title'] });
      return Promise.all(
        listed.map(async ({ id: taskId }) => {
          const { title, comments, checklist, createdAt, complete } = await reader.tasks.get({ ...there, taskId });
          const texts = [comments.map(({ content }) => content), checklist.map(({ text, done }) => [text, done])];
          return [title, createdAt.slice(0, 4), complete, ...texts];
        }),
      );
    };
    expect(await shown({ owner, at })).to.deep.equal(await shown(whole));
    const third = await run({ tasks });
    expect([third.created, third.existing]).to.deep.equal([NONE, ALL]);
    expect((await owner.tasks.list({ ...at, boardId: [boardId] })).items).to.have.length(3);
    await expectSound({ ...team, owner, at });
  });

  it('leaves out what was archived where no trash is kept', async () => {
    const { run, input } = await newImport();
    const tasks = input.tasks.map((task, n) => (n < 2 ? { ...task, archived: true } : task));
    expect((await run({ tasks })).created).to.deep.equal({ ...ALL, tasks: 1, checklistItems: 0, comments: 0 });
  });

  it('leaves the external id to a board that is in the trash', async () => {
    const { run, owner, at } = await newImport(newWorld(undefined, 0, undefined, DAY));
    const { boardId } = await run({ tasks: [] });
    await owner.boards.delete({ ...at, boardId });
    expect(await outcome(run({ tasks: [] }))).to.equal('external-id-taken');
    await owner.trash.restore({ ...at, trashId: boardId });
    expect((await run()).boardId).to.equal(boardId);
  });

  it('brings it in with authors and times as they were', async () => {
    const { run, owner, admin, member, at } = await newImport();
    const report = await run();
    expect([report.created, report.existing]).to.deep.equal([ALL, NONE]);
    const board = await admin.boards.get({ ...at, boardId: report.boardId });
    expect([board.name, board.externalId, board.version]).to.deep.equal(['Imported', 'B', 1]);
    expect(board.statuses.map(({ name, done, taskCount }) => [name, done, taskCount])).to.deep.equal([
      ['To do', false, 2],
      ['Done', true, 1],
    ]);
    expect(board.tags.map(({ name, color }) => [name, color])).to.deep.equal([['Bug', 'red']]);
    const page = await admin.pages.get({ ...at, pageId: report.boardId });
    expect([page.name, page.access, page.accessType, page.createdById]).to.deep.equal([
      'Imported',
      400,
      'accepted',
      admin.memberId,
    ]);
    const { items } = await owner.tasks.list({ ...at, sort: ['position'] });
    expect(items.map(({ title, complete, num }) => [title, complete, num])).to.deep.equal([
      ['one', false, 1],
      ['three', false, 3],
      ['two', true, 2],
    ]);
    const one = await owner.tasks.get({ ...at, taskId: items[0]!.id });
    expect([one.createdById, one.createdAt, one.assignees, one.tags]).to.deep.equal([
      member.memberId,
      '2020-01-01T00:00:00.000Z',
      [member.memberId],
      [board.tags[0]!.id],
    ]);
    expect(one.comments.map(({ content, authorId, edited }) => [content, authorId, edited])).to.deep.equal([
      ['first', member.memberId, false],
      ['later', admin.memberId, true],
    ]);
  });

  it('a second time adds only what is not there yet', async () => {
    const { run, input, owner, at } = await newImport();
    const { boardId } = await run();
    const whole = async () =>
      JSON.stringify([await owner.boards.get({ ...at, boardId }), (await owner.tasks.list(at)).items]);
    const before = await whole();
    const again = await run();
    expect([again.boardId, again.created, again.existing]).to.deep.equal([boardId, NONE, ALL]);
    expect(await whole()).to.equal(before);
    const more = await run({
      statuses: [...input.statuses, { name: 'Later' }],
      tags: [...input.tags, { name: 'New', color: 'blue' }],
      tasks: [
        {
          ...input.tasks[0]!,
          title: 'changed',
          comments: [
            ...input.tasks[0]!.comments!,
            { externalId: 'C3', content: 'x', createdAt: '2020-02-01T00:00:00.000Z' },
          ],
        },
        { externalId: 'T4', title: 'four', status: 'Later', tags: ['new'] },
      ],
    });
    expect(more.created).to.deep.equal({ ...NONE, statuses: 1, tags: 1, tasks: 1, comments: 1 });
    const { items } = await owner.tasks.list({ ...at, externalId: ['T1'] });
    expect([items[0]?.title, items[0]?.commentCount]).to.deep.equal(['one', 3]);
  });

  it('after a deletion brings all of it in anew, purged or not', async () => {
    for (const purged of [false, true]) {
      const { run, owner, at, world } = await newImport();
      const { boardId } = await run();
      await owner.boards.delete({ ...at, boardId });
      if (purged) await world.purge();
      const again = await run();
      expect(again.boardId).to.not.equal(boardId);
      expect([again.created, again.existing]).to.deep.equal([ALL, NONE]);
      await world.purge();
      expect((await owner.tasks.list({ ...at, count: true })).total).to.equal(3);
    }
  });

  it('takes nothing that does not belong, and is then as if it had not been', async () => {
    const { run, input, team, owner, at } = await newImport().then((all) => ({ ...all, team: all }));
    const [task] = input.tasks;
    const comment = { externalId: 'C9', content: 'x', createdAt: '2020-01-01T00:00:00.000Z' };
    const wrong: readonly Partial<ImportBoard>[] = [
      { tasks: [{ ...task!, status: 'Nowhere' }] },
      { tasks: [{ ...task!, tags: ['Unknown'] }] },
      { tasks: [{ ...task!, assignees: [team.outsider.userId] }] },
      { tasks: [{ ...task!, createdById: team.outsider.userId }] },
      { tasks: [{ ...task!, comments: [{ ...comment, authorId: team.outsider.userId }] }] },
      { memberId: team.outsider.userId },
      { memberId: team.guest.memberId },
    ];
    for (const changes of wrong)
      expect(await outcome(run(changes)), JSON.stringify(changes)).to.equal('unusable-reference');
    expect(
      await outcome(run({ tasks: [{ ...task!, plannedStartDate: '2026-01-02', plannedEndDate: '2026-01-01' }] })),
    ).to.equal('invalid-input');
    expect(await outcome(run({ workspaceId: team.outsider.userId }))).to.equal('not-found');
    expect([await owner.boards.list(at), (await owner.tasks.list(at)).items]).to.deep.equal([[], []]);
  });

  it('keeps what former members wrote', async () => {
    const { run, member, owner, at } = await newImport();
    await member.members.remove({ ...at, memberId: member.memberId });
    expect(await outcome(run())).to.equal('unusable-reference');
    const { input } = await newImport();
    const tasks = input.tasks.map(({ assignees: _, ...task }) => ({
      ...task,
      ...(task.createdById === undefined ? {} : { createdById: member.memberId }),
      comments: [],
    }));
    await run({ tasks });
    expect((await owner.tasks.list({ ...at, externalId: ['T1'] })).items[0]?.createdById).to.equal(member.memberId);
  });

  it('keeps its columns in order on a board that is full to the end', async () => {
    const { run, input, owner, at } = await newImport();
    const { boardId } = await run();
    const { statuses } = await owner.boards.get({ ...at, boardId });
    await owner.statuses.update({ ...at, boardId, statusId: statuses[1]!.id, orderKey: 2 ** 52 });
    await run({ statuses: [...input.statuses, { name: 'Later' }] });
    const after = await owner.boards.get({ ...at, boardId });
    expect(after.statuses.map(({ name }) => name)).to.deep.equal(['To do', 'Done', 'Later']);
    expect(after.statuses.map(({ orderKey }) => orderKey)).to.deep.equal(
      after.statuses.map(({ orderKey }) => orderKey).toSorted((a, b) => a - b),
    );
  });

  it('is for service administrators and the operator', async () => {
    const { input, owner, world } = await newImport();
    expect(await outcome(owner.imports.board(input))).to.equal('forbidden');
    await world.operator.users.update({ userId: owner.userId, administrator: true });
    expect(await outcome(owner.imports.board(input))).to.equal('ok');
  });
});
