import { expect } from 'chai';
import { createEngine } from '../../../../core/engine.ts';
import type { ChangeEvent, Session } from '../../../../core/index.ts';
import type { Level } from '../../../../core/model/access/level.ts';
import type { Role } from '../../../../core/model/access/role.ts';
import type { Ports } from '../../../../core/ports/context.ts';
import type { Store } from '../../../../core/ports/store.ts';
import { Random } from '../../../contract/random.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { DAY, newWorld, outcome, personOf } from '../../../fixtures/world/world.ts';
import { idsSeen, seen } from '../member-sight.ts';
import { Replica } from './replica.ts';

/** How often the reader follows. */
const ROUNDS = 8;
const MAX_ANSWERS = 1_000;
const LEVELS: readonly Level[] = [0, 100, 300];
const ROLES: readonly Role[] = [10, 20, 30, 40];
const LIMITS = [1, 2, 3, 10, 100];

/** Gives a session of a user in another process on the same store. @param ports of the process that writes */
export type OtherProcess = (userId: string, ports: Ports) => Session;

/** Another process, as far as can be told by an engine of its own. @param store as that process has opened it */
export function anotherProcess(store: Store): OtherProcess {
  return (userId, ports) => personOf(createEngine({ ...ports, store }), userId, 'M');
}

/**
 * Has a member follow what an owner writes, who goes on writing before an answer is applied, and while the member reads the
 * records that it tells of. In the end the member holds what they see, and no event has named what they never saw.
 *
 * @param other answers about half of the questions; absent: there is one process
 */
export async function followLate(store: Store, seed: number, other?: OtherProcess): Promise<void> {
  const random = new Random(seed);
  const processes = new Random(seed + 1);
  const world = newWorld(store, 0, undefined, random.pick([0, DAY]));
  const team = await newTeam(world, random.pick([0, 100]));
  const { at, member } = team;
  const { workspaceId } = at;
  const act = await writing(team, random);
  const known = new Set<string>();
  const write = async (most: number) => {
    for (let n = random.below(most + 1); n > 0; n -= 1) {
      await act();
      for (const id of await idsSeen(member, workspaceId)) known.add(id);
    }
  };
  for (const id of await idsSeen(member, workspaceId)) known.add(id);
  const elsewhere = other?.(member.userId, world.ports) ?? member;
  const asked = () => (processes.once(2) ? elsewhere : member);
  const told: ChangeEvent[] = [];
  const list: Session['changes']['list'] = async (...input) => {
    const answer = await asked().changes.list(...input);
    told.push(...answer.items);
    if (!isQuiet) await write(3);
    expect((answers += 1), 'they would follow for ever').to.be.below(MAX_ANSWERS);
    return answer;
  };
  let answers = 0;
  let isQuiet = false;
  const late: Session = {
    ...member,
    workspaces: { ...member.workspaces, get: delayed(({ workspaces }) => workspaces.get) },
    members: { ...member.members, list: delayed(({ members }) => members.list) },
    pages: { ...member.pages, list: delayed(({ pages }) => pages.list) },
    boards: {
      ...member.boards,
      list: delayed(({ boards }) => boards.list),
      get: delayed(({ boards }) => boards.get),
    },
    tasks: { ...member.tasks, list: delayed(({ tasks }) => tasks.list), get: delayed(({ tasks }) => tasks.get) },
    changes: { ...member.changes, list },
  };
  function delayed<A extends unknown[], R>(read: (session: Session) => (...input: A) => Promise<R>) {
    return async (...input: A): Promise<R> => {
      if (!isQuiet && random.once(6)) await write(2);
      return read(asked())(...input);
    };
  }
  const replica = await Replica.read(late, workspaceId);
  for (let round = 0; round < ROUNDS; round += 1) {
    await write(3);
    await replica.follow(late, random.pick(LIMITS), random.once(2), 1 + random.below(3));
  }
  isQuiet = true;
  await world.purge();
  await replica.follow(late, random.pick(LIMITS), random.once(2));
  const text = () => JSON.stringify(told, null, 1);
  expect(replica.shown(), text()).to.deep.equal(await seen(member, workspaceId));
  for (const event of told) expect(event.id === null || known.has(event.id), JSON.stringify(event)).to.equal(true);
}

/** Writes of an owner, one with each call. */
async function writing(team: Team, random: Random): Promise<() => Promise<unknown>> {
  const { owner, at, member, world } = team;
  const { memberId } = member;
  const pages: string[] = [];
  const boards: string[] = [];
  const tasks: string[] = [];
  const comments: { readonly taskId: string; readonly commentId: string }[] = [];
  const above = () => (pages.length === 0 || random.once(3) ? null : random.pick(pages));
  const makePage = async () => void pages.push(await team.page('P', above()));
  const makeBoard = async () => {
    const { id } = await team.board('B', above());
    pages.push(id);
    boards.push(id);
  };
  const makeTask = async () => void tasks.push(await team.task(random.pick(boards), 'T'));
  for (const make of [makePage, makeBoard, makePage, makeBoard, makeTask, makeTask]) await make();
  // Mostly those that were made last, so that writes meet.
  const recent = (ids: readonly string[]) =>
    ids[Math.max(0, ids.length - 1 - random.below(random.once(2) ? 3 : ids.length))]!;
  const pageId = () => recent(pages);
  const grant = (access: Level) => owner.access.grant({ ...at, pageId: pageId(), memberId, access });
  const settings = (input: { inherit: boolean; defaultAccess?: Level }) =>
    owner.access.changeSettings({ ...at, pageId: pageId(), ...input });
  const rarely = (write: () => Promise<unknown>) => async () => (random.once(4) ? write() : null);
  const writes: readonly (() => Promise<unknown>)[] = [
    () => grant(random.pick(LEVELS)),
    () => grant(100),
    () => owner.access.revoke({ ...at, pageId: pageId(), memberId }),
    () => settings({ inherit: true }),
    () => settings({ inherit: false, defaultAccess: random.pick([0, 100]) }),
    () => owner.pages.update({ ...at, pageId: pageId(), parentId: above() }),
    () => owner.pages.update({ ...at, pageId: pageId(), parentId: above() }),
    () => owner.pages.update({ ...at, pageId: pageId(), name: 'Q' }),
    makePage,
    makeBoard,
    makeTask,
    makeTask,
    () => owner.tasks.update({ ...at, taskId: recent(tasks), boardId: random.pick(boards) }),
    () => owner.tasks.update({ ...at, taskId: recent(tasks), title: 'U' }),
    () => owner.tasks.delete({ ...at, taskId: recent(tasks) }),
    async () => {
      const taskId = recent(tasks);
      await owner.pages.create({ ...at, name: 'T', type: 'task', taskId, parentId: above() });
      pages.push(taskId);
    },
    async () => {
      const taskId = recent(tasks);
      comments.push({ taskId, commentId: (await owner.comments.create({ ...at, taskId, content: 'C' })).id });
    },
    async () => {
      if (comments.length > 0) await owner.comments.delete({ ...at, ...comments.at(-1)! });
    },
    rarely(() => owner.pages.delete({ ...at, pageId: pageId() })),
    async () => {
      const { items } = await owner.trash.list(at);
      if (items.length > 0) await owner.trash.restore({ ...at, trashId: recent(items.map(({ id }) => id)) });
    },
    rarely(async () => pages.push((await owner.pages.copy({ ...at, pageId: pageId(), tasks: true })).id)),
    () => owner.tasks.link({ ...at, fromTaskId: recent(tasks), type: 'relates', taskId: random.pick(tasks) }),
    () =>
      owner.tasks.updateMany({ ...at, taskIds: [...new Set([recent(tasks), recent(tasks)])], set: { priority: 100 } }),
    rarely(() => owner.members.update({ ...at, memberId, role: random.pick(ROLES) })),
    rarely(() => owner.workspaces.update({ ...at, defaultAccess: random.pick([0, 100]) })),
    rarely(() => world.purge()),
  ];
  return () => outcome(random.pick(writes)());
}
