import { expect } from 'chai';
import type { ChangeEvent, ChangeSlice } from '../../../core/index.ts';
import { forSeeds, Random } from '../../contract/random.ts';
import { newTeam, type Colleague, type Team } from '../../fixtures/world/team.ts';
import { DAY, newWorld, outcome } from '../../fixtures/world/world.ts';
import { wordsOf } from './canary/canary-sight.ts';

/** ESPALIER_CANARIES: how many random pairs of worlds; ESPALIER_SEED: the first of them. */
const PAIRS = Number(process.env['ESPALIER_CANARIES'] ?? 4) * 4;
const ROUNDS = 14;

type Write = () => Promise<unknown>;

/** Where the reader sees something, and where not. */
interface Scene extends Team {
  readonly reader: Colleague;
  /** Writes where the reader sees nothing. */
  readonly second: Colleague;
  readonly boards: readonly string[];
  readonly tasks: string[];
  readonly secretId: string;
  readonly secretBoards: readonly string[];
}

/**
 * Writes the same in every world of a seed, and in between, if asked for, where the reader sees nothing: below a page that they
 * do not see, and tasks that their own pages hide, on boards that the reader sees.
 *
 * @returns all events that the reader gets, from each cursor that they got, with ids as numbers in their order
 */
async function toldTo(seed: number, withHidden: boolean): Promise<readonly string[]> {
  const random = new Random(seed);
  const hiddenRandom = new Random(seed + 1);
  const scene = await newScene(random);
  const { reader, at } = scene;
  const visible = visibleWrites(scene, random);
  const hidden = hiddenWrites(scene, hiddenRandom);
  const cursors: string[] = [];
  const told: string[] = [];
  const alias = aliases();
  const onCursor = (cursor: string) => void cursors.push(cursor);
  for (let round = 0; round < ROUNDS; round += 1) {
    await reader.workspaces.get(at, { onCursor });
    if (withHidden) for (let n = hiddenRandom.below(3); n >= 0; n -= 1) await outcome(hiddenRandom.pick(hidden)());
    await outcome(random.pick(visible)());
  }
  for (const cursor of cursors) {
    const events: ChangeEvent[] = [];
    for (let since: string | null = cursor; since !== null;) {
      const answer: ChangeSlice = await reader.changes.list({ ...at, since, limit: 500, include: ['record'] });
      events.push(...answer.items.filter(({ type }) => type !== 'scope'));
      since = answer.next;
    }
    told.push(alias(events.map(comparable).join('\n')));
  }
  return told;
}

/** Numbers of transactions and tasks have gaps, and keys of order room for what is hidden: that is accepted, and that `scope` comes. */
const ACCEPTED: ReadonlySet<string> = new Set(['seq', 'part', 'num', 'statusOrderKey', 'orderKey', 'lastActivity']);

function comparable(event: ChangeEvent): string {
  const fields = event.fields.filter((field) => !ACCEPTED.has(field));
  return JSON.stringify({ ...event, fields }, (name, value: unknown) => (ACCEPTED.has(name) ? undefined : value));
}

function aliases(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    for (const word of wordsOf(text)) if (!known.has(word)) known.set(word, `#${known.size}`);
    return text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => known.get(id)!);
  };
}

async function newScene(random: Random): Promise<Scene> {
  const team = await newTeam(newWorld(undefined, 0, undefined, DAY), random.pick([0, 100]));
  const { owner, at, page, board, task, grant } = team;
  const reader = random.pick([team.member, team.guest]);
  const boards = [(await board('One')).id, (await board('Two', await page('Folder'))).id];
  for (const id of boards) await grant(id, reader, 100);
  const secretId = await page('Secret');
  await owner.access.changeSettings({ ...at, pageId: secretId, inherit: false, defaultAccess: 0 });
  const secretBoards = [(await board('Hidden', secretId)).id];
  const tasks: string[] = [];
  for (const boardId of [...boards, ...boards]) tasks.push(await task(boardId, 'Task'));
  return { ...team, reader, second: await team.join('Second', 40), boards, tasks, secretId, secretBoards };
}

function visibleWrites(scene: Scene, random: Random): readonly Write[] {
  const { owner, at, reader, boards, tasks, secretBoards } = scene;
  const taskId = () => random.pick(tasks);
  const boardId = () => random.pick([...boards, ...boards, ...secretBoards]);
  const memberId = reader.memberId;
  const create = async () => void tasks.push(await scene.task(boardId(), 'Made'));
  return [
    create,
    create,
    () => owner.tasks.update({ ...at, taskId: taskId(), boardId: boardId() }),
    () => owner.tasks.update({ ...at, taskId: taskId(), boardId: boardId() }),
    () => owner.tasks.update({ ...at, taskId: taskId(), title: `Title ${random.below(9)}` }),
    () => owner.tasks.update({ ...at, taskId: taskId(), complete: random.once(2) }),
    () => owner.tasks.delete({ ...at, taskId: taskId() }),
    () => owner.tasks.link({ ...at, fromTaskId: taskId(), type: 'parent', taskId: taskId() }),
    () => owner.comments.create({ ...at, taskId: taskId(), content: 'Well' }),
    () => owner.boards.update({ ...at, boardId: random.pick(boards), description: `${random.below(9)}` }),
    () => owner.statuses.create({ ...at, boardId: random.pick(boards), name: `Status ${random.below(99)}` }),
    () => owner.pages.create({ ...at, name: 'Page', type: 'task', taskId: taskId(), parentId: random.pick(boards) }),
    () => owner.pages.create({ ...at, name: 'Page', type: 'folder', parentId: random.pick([...boards, null]) }),
    () => owner.pages.update({ ...at, pageId: random.pick(boards), parentId: random.pick([...boards, null]) }),
    () => owner.access.grant({ ...at, pageId: random.pick(boards), memberId, access: random.pick([0, 100, 300]) }),
    () => owner.access.grant({ ...at, pageId: random.pick(boards), memberId, access: 100 }),
  ];
}

function hiddenWrites({ second, at, boards, secretId, secretBoards, guest, reader }: Scene, random: Random) {
  const pages = [secretId];
  const tasks: string[] = [];
  const pageId = () => random.pick(pages);
  const taskId = () => random.pick(tasks);
  const title = () => `Hidden ${random.below(9)}`;
  const memberId = guest.memberId;
  const create = async () => {
    const { id } = await second.tasks.create({ ...at, boardId: random.pick(secretBoards), title: title() });
    tasks.push(id);
    if (random.once(2)) return;
    // Its own page hides it, wherever it goes.
    await second.pages.create({ ...at, name: title(), type: 'task', taskId: id, parentId: secretId });
    await second.tasks.update({ ...at, taskId: id, boardId: random.pick(boards) });
  };
  const ofOthers: readonly Write[] =
    guest.memberId === reader.memberId
      ? []
      : [
          () => second.access.grant({ ...at, pageId: pageId(), memberId, access: random.pick([0, 100]) }),
          () => second.access.revoke({ ...at, pageId: pageId(), memberId }),
        ];
  const writes: readonly Write[] = [
    create,
    create,
    () => second.tasks.update({ ...at, taskId: taskId(), title: title(), priority: 100 }),
    () => second.tasks.update({ ...at, taskId: taskId(), complete: random.once(2) }),
    () => second.tasks.updateMany({ ...at, taskIds: [...new Set([taskId(), taskId()])], set: { priority: 200 } }),
    () => second.tasks.delete({ ...at, taskId: taskId() }),
    () => second.tasks.link({ ...at, fromTaskId: taskId(), type: 'blocks', taskId: taskId() }),
    () => second.comments.create({ ...at, taskId: taskId(), content: title() }),
    () => second.checklists.create({ ...at, taskId: taskId(), text: title() }),
    async () =>
      void pages.push((await second.pages.create({ ...at, name: title(), type: 'folder', parentId: pageId() })).id),
    () => second.pages.update({ ...at, pageId: pageId(), name: title() }),
    () => second.pages.update({ ...at, pageId: random.pick(pages.slice(1)), parentId: pageId() }),
    () => second.pages.delete({ ...at, pageId: random.pick(pages.slice(1)) }),
    () => second.statuses.create({ ...at, boardId: random.pick(secretBoards), name: title() }),
    async () => {
      const { items } = await second.trash.list(at);
      // A task that returns to its place in a column may move others aside, which is seen; so is a page that returns to the top.
      const hidden = items.filter(({ kind, name }) => kind === 'page' && name.startsWith('Hidden'));
      if (hidden.length === 0) return;
      await second.trash.restore({ ...at, trashId: random.pick(hidden).id, parentId: secretId });
    },
    ...ofOthers,
  ];
  // Some have nothing to pick from yet.
  return writes.map((write) => async () => {
    if (tasks.length === 0 || pages.length === 1) await create();
    if (pages.length === 1)
      pages.push((await second.pages.create({ ...at, name: title(), type: 'folder', parentId: secretId })).id);
    return write();
  });
}

describe('what is written where a reader sees nothing', function () {
  this.timeout(0);

  it('changes nothing in what they get: no event, no number, no time, no name', () =>
    forSeeds(PAIRS, async (_, seed) => {
      const [without, withHidden] = [await toldTo(seed, false), await toldTo(seed, true)];
      for (const [n, told] of without.entries()) expect(withHidden[n], `cursor ${n}`).to.equal(told);
    }));
});
