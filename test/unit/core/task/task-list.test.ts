import { assert, expect } from 'chai';
import type { TaskFilters } from '../../../../core/task/list/filters.ts';
import { TASK_SORTS, type TaskSort } from '../../../../core/task/list/sort.ts';
import type { TaskSummary } from '../../../../core/task/view.ts';
import { newTeam, type Colleague, type Team } from '../../../fixtures/world/team.ts';
import { HOUR, outcome } from '../../../fixtures/world/world.ts';

interface Board {
  readonly id: string;
  readonly todo: string;
  readonly done: string;
  readonly bug: string;
}

/** Two boards with six tasks, every one unlike the others. */
async function newList(): Promise<{
  readonly team: Team;
  readonly one: Board;
  readonly two: Board;
  readonly since: string;
}> {
  const team = await newTeam();
  const { owner, member, at, world } = team;
  const board = async (name: string): Promise<Board> => {
    const { id, todo } = await team.board(name);
    const { id: done } = await owner.statuses.create({ ...at, boardId: id, name: 'Done', done: true });
    const { id: bug } = await owner.tags.create({ ...at, boardId: id, name: 'Bug' });
    return { id, todo, done, bug };
  };
  const [one, two] = [await board('One'), await board('Two')];
  const add = async (who: Colleague, title: string, on: Board, fields: object = {}) => {
    world.pass(HOUR);
    await who.tasks.create({ ...at, title, boardId: on.id, ...fields });
  };
  await add(owner, 'a', one, {
    priority: 100,
    plannedEndDate: world.day(-1),
    description: 'Straight (text).',
    metadata: { sprint: 12 },
  });
  await add(owner, 'b', one, {
    priority: 200,
    plannedStartDate: world.day(),
    plannedEndDate: world.day(),
    tags: [one.bug],
    metadata: { sprint: '12', done: true },
  });
  await add(member, 'c', one, {
    statusId: one.done,
    plannedEndDate: world.day(-1),
    assignees: [member.memberId],
    metadata: { sprint: '13,14', constructor: 'x' },
  });
  const since = world.time(HOUR);
  await add(member, 'd', two, {
    externalId: 'X',
    plannedStartDate: world.day(1),
    assignees: [owner.memberId, member.memberId],
  });
  await add(owner, 'e', two, { externalId: 'Y', plannedEndDate: world.day(5), tags: [two.bug], statusId: two.done });
  await add(owner, 'F (TEXT)', two, { priority: 100, complete: true, plannedEndDate: world.day(-2) });
  return { team, one, two, since };
}

type List = Awaited<ReturnType<typeof newList>>;

async function titles({ team }: List, filters: TaskFilters, who: Colleague = team.owner): Promise<string> {
  const { items, total } = await who.tasks.list({ ...team.at, ...filters, count: true });
  expect(total).to.equal(items.length);
  return items.map(({ title }) => title[0]).join('');
}

type Filter = (list: List) => TaskFilters;

const FILTERS: readonly (readonly [string, Filter, string])[] = [
  ['nothing', () => ({}), 'abcdeF'],
  ['num', () => ({ num: [2, 4, 99] }), 'bd'],
  ['excludeNum', () => ({ excludeNum: [2, 4] }), 'aceF'],
  ['boardId', ({ one }) => ({ boardId: [one.id] }), 'abc'],
  ['boardId, any of', ({ one, two }) => ({ boardId: [one.id, two.id] }), 'abcdeF'],
  ['boardId, none of them', ({ team }) => ({ boardId: [team.workspaceId] }), ''],
  ['excludeBoardId', ({ one }) => ({ excludeBoardId: [one.id] }), 'deF'],
  ['statusId', ({ one, two }) => ({ statusId: [one.done, two.todo] }), 'cdF'],
  ['excludeStatusId', ({ one, two }) => ({ excludeStatusId: [one.done, two.todo] }), 'abe'],
  ['assigneeId', ({ team }) => ({ assigneeId: [team.member.memberId] }), 'cd'],
  ['assigneeId me', () => ({ assigneeId: ['me'] }), 'd'],
  ['assigneeId none', () => ({ assigneeId: ['none'] }), 'abeF'],
  ['assigneeId me or none', () => ({ assigneeId: ['me', 'none'] }), 'abdeF'],
  ['excludeAssigneeId', ({ team }) => ({ excludeAssigneeId: [team.member.memberId] }), 'abeF'],
  ['excludeAssigneeId me', () => ({ excludeAssigneeId: ['me'] }), 'abceF'],
  ['excludeAssigneeId none', () => ({ excludeAssigneeId: ['none'] }), 'cd'],
  ['tagId', ({ one, two }) => ({ tagId: [one.bug, two.bug] }), 'be'],
  ['tagId none', () => ({ tagId: ['none'] }), 'acdF'],
  ['excludeTagId', ({ one }) => ({ excludeTagId: [one.bug] }), 'acdeF'],
  ['excludeTagId none', () => ({ excludeTagId: ['none'] }), 'be'],
  ['createdById', ({ team }) => ({ createdById: [team.member.memberId] }), 'cd'],
  ['createdById me', () => ({ createdById: ['me'] }), 'abeF'],
  ['excludeCreatedById me', () => ({ excludeCreatedById: ['me'] }), 'cd'],
  ['priority', () => ({ priority: [100, 200] }), 'abF'],
  ['excludePriority', () => ({ excludePriority: [0] }), 'abF'],
  ['complete', () => ({ complete: true }), 'ceF'],
  ['not complete', () => ({ complete: false }), 'abd'],
  ['excludeComplete', () => ({ excludeComplete: true }), 'abd'],
  ['excludeComplete false', () => ({ excludeComplete: false }), 'ceF'],
  ['excludeOverdue', () => ({ excludeOverdue: true }), 'bcdeF'],
  ['excludeOverdue false', () => ({ excludeOverdue: false }), 'a'],
  ['externalId', () => ({ externalId: ['X', 'Z'] }), 'd'],
  ['excludeExternalId', () => ({ excludeExternalId: ['X'] }), 'abceF'],
  ['startFrom', ({ team }) => ({ startFrom: team.world.day(1) }), 'd'],
  ['startTo', ({ team }) => ({ startTo: team.world.day() }), 'b'],
  ['startFrom and startTo', ({ team }) => ({ startFrom: team.world.day(), startTo: team.world.day(1) }), 'bd'],
  ['endFrom', ({ team }) => ({ endFrom: team.world.day() }), 'be'],
  ['endTo', ({ team }) => ({ endTo: team.world.day(-1) }), 'acF'],
  ['overdue', () => ({ overdue: true }), 'a'],
  ['not overdue', () => ({ overdue: false }), 'bcdeF'],
  ['updatedSince', ({ since }) => ({ updatedSince: since }), 'deF'],
  ['q in title or description, ignoring case', () => ({ q: '(Text)' }), 'aF'],
  ['q is literal', () => ({ q: '.*' }), ''],
  ['excludeQ', () => ({ excludeQ: 'text' }), 'bcde'],
  ['metadata', () => ({ metadata: { sprint: ['12'] } }), 'ab'],
  ['metadata, any of', () => ({ metadata: { sprint: ['12', '13,14'] } }), 'abc'],
  ['metadata, several keys', () => ({ metadata: { sprint: ['12'], done: ['true'] } }), 'b'],
  ['metadata, none of them', () => ({ metadata: { sprint: [] } }), ''],
  ['excludeMetadata', () => ({ excludeMetadata: { sprint: ['12'] } }), 'cdeF'],
  ['excludeMetadata, several keys', () => ({ excludeMetadata: { sprint: ['13,14'], done: ['true'] } }), 'adeF'],
  ['noMetadata', () => ({ noMetadata: ['sprint'] }), 'deF'],
  ['noMetadata, any of', () => ({ noMetadata: ['sprint', 'done'] }), 'acdeF'],
  ['metadata under a name that objects have', () => ({ metadata: { constructor: ['x'] } }), 'c'],
  ['no metadata under such a name', () => ({ noMetadata: ['constructor'] }), 'abdeF'],
  ['different filters: all of them', ({ one }) => ({ boardId: [one.id], complete: false, priority: [200] }), 'b'],
  ['a filter and its negation', ({ one }) => ({ boardId: [one.id], excludeStatusId: [one.done] }), 'ab'],
  ['an empty choice', () => ({ priority: [] }), ''],
];

describe('tasks: filters', () => {
  let list: List;
  before(async () => {
    list = await newList();
  });
  for (const [name, filter, expected] of FILTERS) {
    it(name, async () => {
      expect(await titles(list, filter(list))).to.equal(expected);
    });
  }

  it('find a task while its title is typed, in small and in capital letters', async () => {
    const { owner, at, board, task } = await newTeam();
    const { id: boardId } = await board('Board');
    const found = async (q: string) => (await owner.tasks.list({ ...at, q })).items.map(({ id }) => id);
    for (const title of ['ΟΔΥΣΣΕΑΣ', 'ο Οδυσσέας', 'Ärger im Büro', 'IĞDIR']) {
      const taskId = await task(boardId, title);
      for (let length = 1; length <= title.length; length += 1) {
        const typed = title.slice(0, length);
        for (const q of [typed, typed.toLowerCase(), typed.toUpperCase()]) expect(await found(q), q).to.include(taskId);
      }
    }
  });

  it('count and show only what one sees', async () => {
    const { team, one } = await newList();
    await team.grant(one.id, team.member, 0);
    expect(await titles({ ...list, team }, {}, team.member)).to.equal('deF');
    expect(await titles({ ...list, team }, { boardId: [one.id] }, team.member)).to.equal('');
    expect(await titles({ ...list, team }, { excludeBoardId: [one.id] }, team.member)).to.equal('deF');
    expect(await titles({ ...list, team }, {}, team.guest)).to.equal('');
  });

  it('see a task whose board is hidden as one of no board, status and tag', async () => {
    const { team, one } = await newList();
    const { owner, at, member } = team;
    const { items } = await owner.tasks.list({ ...at, tagId: [one.bug] });
    const taskId = items[0]!.id;
    await owner.pages.create({ ...at, name: 'b', type: 'task', taskId });
    await team.grant(one.id, member, 0);
    for (const filters of [{ boardId: [one.id] }, { statusId: [one.todo] }, { tagId: [one.bug] }]) {
      expect(await titles({ ...list, team }, filters, member)).to.equal('');
    }
    expect(await titles({ ...list, team }, { tagId: ['none'], priority: [200] }, member)).to.equal('b');
    expect(await titles({ ...list, team }, { excludeBoardId: [one.id], priority: [200] }, member)).to.equal('b');
  });
});

const keys: Readonly<Record<string, (task: TaskSummary) => string | number | null>> = {
  num: (task) => task.num,
  title: (task) => task.title,
  priority: (task) => task.priority,
  dateStart: (task) => task.dateStart,
  dateEnd: (task) => task.dateEnd,
  createdAt: (task) => task.createdAt,
  updatedAt: (task) => task.updatedAt,
};

describe('tasks: sorts and parts', () => {
  let list: List;
  before(async () => {
    list = await newList();
  });

  it('is by num unless told otherwise', async () => {
    const { items } = await list.team.owner.tasks.list(list.team.at);
    expect(items.map(({ num }) => num)).to.deep.equal([1, 2, 3, 4, 5, 6]);
  });

  for (const name of TASK_SORTS) {
    const field = name.replace('-', '');
    if (field === 'position') continue;
    it(`by ${name}, ties by id, nothing behind every value`, async () => {
      const { items } = await list.team.owner.tasks.list({ ...list.team.at, sort: [name] });
      const key = keys[field]!;
      const sign = name.startsWith('-') ? -1 : 1;
      for (const [i, task] of items.entries()) {
        const next = items[i + 1];
        if (next === undefined) break;
        const [a, b] = [key(task), key(next)];
        if (a === b) assert(task.id < next.id);
        else if (a === null || b === null) expect(sign === 1 ? b : a).to.equal(null);
        else expect(a < b).to.equal(sign === 1);
      }
    });
  }

  it('by position: the column, then the place in it', async () => {
    const { team, one } = list;
    const sorted = async (name: TaskSort) =>
      (await team.owner.tasks.list({ ...team.at, boardId: [one.id], sort: [name] })).items
        .map(({ title }) => title)
        .join('');
    expect(await sorted('position')).to.equal('abc');
    await team.owner.statuses.update({ ...team.at, boardId: one.id, statusId: one.done, orderKey: -1 });
    expect([await sorted('position'), await sorted('-position')]).to.deep.equal(['cab', 'bac']);
  });

  it('by several', async () => {
    const { items } = await list.team.owner.tasks.list({ ...list.team.at, sort: ['-priority', 'title'] });
    expect(items.map(({ title }) => title[0]).join('')).to.equal('bFacde');
  });

  it('in parts, walked to the end, are the whole', async () => {
    const { team } = list;
    const sorts: TaskSort[][] = [
      ...TASK_SORTS.map((name) => [name]),
      ['-priority', 'dateEnd'],
      ['dateStart', '-position'],
    ];
    for (const who of [team.owner, team.member]) {
      for (const sort of sorts) {
        const whole = await who.tasks.list({ ...team.at, sort });
        expect(whole.next).to.equal(null);
        for (const limit of [1, 2, 3, 6]) {
          const parts: TaskSummary[] = [];
          let cursor: string | null = null;
          do {
            const slice: typeof whole = await who.tasks.list({
              ...team.at,
              sort,
              limit,
              ...(cursor === null ? {} : { cursor }),
            });
            assert(slice.items.length <= limit && slice.items.length > 0);
            parts.push(...slice.items);
            cursor = slice.next;
          } while (cursor !== null);
          expect(parts).to.deep.equal(whole.items);
        }
      }
    }
  });

  it('a cursor goes with its sort only, and is nothing else', async () => {
    const { team } = list;
    const { next } = await team.owner.tasks.list({ ...team.at, limit: 1 });
    const with_ = (cursor: string, sort: TaskSort) =>
      outcome(team.owner.tasks.list({ ...team.at, cursor, sort: [sort] }));
    expect(await with_(next!, 'num')).to.equal('ok');
    for (const [cursor, sort] of [
      [next!, '-num'],
      [next!, 'title'],
      ['', 'num'],
      ['{}', 'num'],
      ['null', 'num'],
      ['["num"]', 'num'],
      ['[[],1]', 'num'],
      ['["num,id",{},1]', 'num'],
    ] as const) {
      expect(await with_(cursor, sort), cursor).to.equal('invalid-input');
    }
  });

  it('carry the number of comments in place of these', async () => {
    const { team, two } = list;
    const { items } = await team.owner.tasks.list({ ...team.at, statusId: [two.done] });
    await team.owner.comments.create({ ...team.at, taskId: items[0]!.id, content: 'c' });
    const [task] = (await team.owner.tasks.list({ ...team.at, statusId: [two.done] })).items;
    expect(task?.commentCount).to.equal(1);
    expect(task).to.not.have.property('comments');
  });
});
