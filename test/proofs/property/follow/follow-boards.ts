import { createEngine } from '../../../../core/engine.ts';
import type { Level } from '../../../../core/model/access/level.ts';
import type { Store } from '../../../../core/ports/store.ts';
import { Random } from '../../../contract/random.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { newWorld, outcome } from '../../../fixtures/world/world.ts';
import { Readers } from './follow-changes.ts';

const STEPS = 80;
const LEVELS: readonly Level[] = [0, 0, 100];

/**
 * Has boards go out of and into the sight of two members while tasks move between them and are deleted, and the members
 * follow what has changed in answers that are cut short, asking processes that know their structure or not.
 */
export async function followBoards(store: Store, seed: number): Promise<void> {
  const random = new Random(seed);
  const world = newWorld(store);
  const team = await newTeam(world, 0);
  const { member, guest } = team;
  // One that remembers, and one that was started just now.
  const reading = () => (random.once(3) ? createEngine(world.ports) : world.engine);
  const readers = new Readers(reading, random);
  for (const { userId } of [member, guest]) readers.add(userId, team.workspaceId);
  const folders = [await team.page('F1'), await team.page('F2')];
  const boards: string[] = [];
  for (let n = 0; n < 4; n += 1) boards.push((await team.board(`B${n}`, random.pick([...folders, null]))).id);
  const tasks: string[] = [];
  for (const boardId of boards) tasks.push(await team.task(boardId, 'T'));
  const steps = stepsOf(team, random, folders, boards, tasks);
  for (let n = 0; n < STEPS; n += 1) {
    await outcome(random.pick(steps)());
    if (random.once(8)) await world.purge();
    await readers.look();
    await readers.takeMore();
    if (random.once(4)) await readers.oneFollows();
  }
  await world.purge();
  await readers.allFollow();
  await readers.end();
}

function stepsOf(
  team: Team,
  random: Random,
  folders: readonly string[],
  boards: readonly string[],
  tasks: string[],
): readonly (() => Promise<unknown>)[] {
  const { owner, at, member, guest } = team;
  const comments: { readonly taskId: string; readonly commentId: string }[] = [];
  const anyPage = () => random.pick([...boards, ...boards, ...folders, ...tasks]);
  const memberId = () => random.pick([member, guest]).memberId;
  // Mostly one of the last: others were seen by everybody once.
  const recent = () => tasks[Math.max(0, tasks.length - 1 - random.below(4))]!;
  const grant = () =>
    owner.access.grant({ ...at, pageId: anyPage(), memberId: memberId(), access: random.pick(LEVELS) });
  const move = () => owner.tasks.update({ ...at, taskId: recent(), boardId: random.pick(boards) });
  const create = async () => {
    tasks.push((await owner.tasks.create({ ...at, boardId: random.pick(boards), title: 'T' })).id);
  };
  const remove = () => owner.tasks.delete({ ...at, taskId: recent() });
  return [
    grant,
    grant,
    () => owner.access.revoke({ ...at, pageId: anyPage(), memberId: memberId() }),
    create,
    create,
    create,
    move,
    move,
    move,
    () => owner.tasks.update({ ...at, taskId: random.pick(tasks), title: `T${random.below(9)}` }),
    remove,
    remove,
    () => owner.pages.create({ ...at, name: 'P', type: 'task', taskId: random.pick(tasks) }),
    () => owner.pages.update({ ...at, pageId: random.pick(boards), parentId: random.pick([...folders, null]) }),
    () => owner.workspaces.update({ ...at, defaultAccess: random.pick(LEVELS) }),
    async () => {
      const taskId = random.pick(tasks);
      const { id: commentId } = await owner.comments.create({ ...at, taskId, content: 'C' });
      comments.push({ taskId, commentId });
    },
    async () => {
      if (comments.length > 0) await owner.comments.delete({ ...at, ...random.pick(comments) });
    },
  ];
}
