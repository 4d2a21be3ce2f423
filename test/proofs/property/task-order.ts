import { expect } from 'chai';
import * as fc from 'fast-check';
import { JobRunner } from '../../../core/jobs/runner.ts';
import { KEY_LIMIT } from '../../../core/kernel/order-key.ts';
import type { Task } from '../../../core/model/content/task.ts';
import type { Store } from '../../../core/ports/store.ts';
import { newTeam, type Team } from '../../fixtures/world/team.ts';
import { newWorld, outcome } from '../../fixtures/world/world.ts';

/** Other tasks that one write may move, and the longest run of adjacent keys that it may make. */
const MAX_MOVED = 256;
const MAX_IN_STEP = 50;

export interface OrderOptions {
  readonly open: () => Promise<Store>;
  /** Random columns, and moves in each. */
  readonly runs: number;
  readonly moves: number;
  /** Tasks of a column that is made crowded. */
  readonly crowded: number;
}

/** Declares the properties of placing tasks, on one kind of store. */
export function taskOrderProperties({ open, runs, moves, crowded }: OrderOptions): void {
  let ids = 0;
  const column = async (keys: readonly number[]) => columnAt(await open(), (ids += 1_000_000), keys);

  it('placements keep the order of a plain list, and move at most 256 other tasks each', async () => {
    const placement = fc.record({
      kind: fc.constantFrom('key', 'key', 'before', 'after', 'start', 'end', 'create', 'many before', 'many after'),
      task: fc.nat(),
      other: fc.nat(),
      offset: fc.integer({ min: -3, max: 3 }),
    });
    const layout = fc.array(
      fc.record({ run: fc.constantFrom(1, 2, 30, 255, 256, 300), gap: fc.constantFrom(1, 2, 40) }),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(layout, fc.array(placement, { minLength: moves, maxLength: moves }), async (parts, steps) => {
        const at = await column(keysOf(parts));
        for (const step of steps) await place(at, step);
        await at.team.world.store.close();
      }),
      { numRuns: runs },
    );
  });

  const keys = (first: number) => Array.from({ length: crowded }, (_, n) => first + n);
  const crowds = {
    'in the middle': { keys: keys(0), placing: { statusOrderKey: Math.floor(crowded / 2) } },
    'between two that are named': { keys: keys(0), placing: 'before the middle' as const },
    'at the end of the range': { keys: keys(KEY_LIMIT - crowded + 1), placing: {} },
    'at the start of the range': { keys: keys(-KEY_LIMIT), placing: { afterTaskId: null } },
  };
  for (const [name, { keys: given, placing }] of Object.entries(crowds)) {
    it(`a crowded column ${name} is respread in steps that keep the order, and the refused write succeeds`, async () => {
      const { team, boardId, statusId, tasks } = await column(given);
      const before = await tasks();
      const middle = before[Math.floor(crowded / 2)]!;
      const where = placing === 'before the middle' ? { beforeTaskId: middle.id } : placing;
      const create = () => team.owner.tasks.create({ ...team.at, boardId, statusId, title: 'new', ...where });
      expect(await outcome(create())).to.equal('column-crowded');
      const order = before.map(({ id }) => id);
      const runner = new JobRunner(team.world.ports);
      let last = before;
      let steps = 0;
      for (; (await runner.step()) === 0; steps += 1) {
        const now = await tasks();
        expect(now.map(({ id }) => id)).to.deep.equal(order);
        expect(movedBetween(last, now)).to.be.at.most(MAX_IN_STEP);
        last = now;
      }
      expect(steps).to.be.greaterThan(1);
      const { id } = await create();
      const after = (await tasks()).map((task) => task.id);
      const index = name.endsWith('end of the range') ? crowded : name.endsWith('start of the range') ? 0 : crowded / 2;
      // By a key, it now stands by what has that key.
      if (placing === 'before the middle' || !('statusOrderKey' in placing)) {
        expect(after.indexOf(id)).to.equal(Math.floor(index));
      }
      expect(after.filter((other) => other !== id)).to.deep.equal(order);
      await team.world.store.close();
    });
  }

  it('the change records of a move name each task that it changes once', async () => {
    const { team, tasks } = await column([0, 1, 2, 3]);
    const { store } = team.world;
    const last = (await tasks())[3]!;
    const changes = () => store.read((tx) => tx.changeLog.list(team.workspaceId, 0, 1_000));
    const known = (await changes()).length;
    await team.owner.tasks.update({ ...team.at, taskId: last.id, statusOrderKey: 0 });
    const now = await tasks();
    expect(now.map(({ statusOrderKey, num }) => [statusOrderKey, num])).to.deep.equal([
      [0, 4],
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    const fresh = (await changes()).slice(known);
    expect(fresh.map(({ recordId, version }) => [recordId, version])).to.have.deep.members(
      now.map(({ id, version }) => [id, version]),
    );
    await store.close();
  });

  it('a thousand tasks at one place come in one write, which moves few others', async () => {
    const at = await column(Array.from({ length: 40 }, (_, n) => n * 1_024));
    const { team, boardId, statusId } = at;
    for (const place of ['beforeTaskId', 'afterTaskId', 'statusOrderKey'] as const) {
      const before = await at.tasks();
      const [middle] = before.slice(20);
      const where = { [place]: place === 'statusOrderKey' ? middle!.statusOrderKey : middle!.id };
      const drafts = Array.from({ length: 1_000 }, (_, n) => ({ boardId, statusId, title: `${n}`, ...where }));
      const made = (await team.owner.tasks.createMany({ ...team.at, tasks: drafts })).map(({ id }) => id);
      const after = await at.tasks();
      const ids = before.map(({ id }) => id);
      const index = place === 'afterTaskId' ? 21 : 20;
      const now = after.map(({ id }) => id);
      const placed = now.splice(index, made.length);
      expect(now).to.deep.equal(ids);
      // So many cannot stand at one key: those that do have others in front of them.
      if (place === 'statusOrderKey') expect(placed).to.have.members(made);
      else expect(placed).to.deep.equal(place === 'beforeTaskId' ? made : made.toReversed());
      expect(movedBetween(before, after)).to.be.at.most(MAX_MOVED);
    }
    await team.world.store.close();
  });
}

interface Column {
  readonly team: Team;
  readonly boardId: string;
  readonly statusId: string;
  /** All of them, in order. */
  readonly tasks: () => Promise<readonly Task[]>;
}

/** A column that holds tasks at these keys, as an import of older data may leave it. */
async function columnAt(store: Store, ids: number, keys: readonly number[]): Promise<Column> {
  const team = await newTeam(newWorld(store, ids));
  const { workspaceId } = team;
  const { id: boardId, todo: statusId } = await team.board('Board');
  const [first, ...others] = keys;
  const { id } = await team.owner.tasks.create({ ...team.at, boardId, title: 't', statusOrderKey: first! });
  for (let begin = 0; begin < others.length; begin += 1_000) {
    await store.write(async (tx) => {
      const model = (await tx.tasks.get(workspaceId, id))!;
      const part = others.slice(begin, begin + 1_000);
      const num = await tx.tasks.reserveNums(workspaceId, part.length);
      for (const [n, statusOrderKey] of part.entries()) {
        await tx.tasks.insert({ ...model, id: team.world.ports.ids.next(), num: num + n, statusOrderKey });
      }
    });
  }
  const tasks = () => store.read((tx) => tx.tasks.column(workspaceId, statusId, { limit: 100_000 }));
  return { team, boardId, statusId, tasks };
}

function keysOf(parts: readonly { readonly run: number; readonly gap: number }[]): number[] {
  const keys: number[] = [];
  let next = 0;
  for (const { run, gap } of parts) {
    for (let n = 0; n < run; n += 1) keys.push(next + n);
    next += run + gap;
  }
  return keys;
}

interface Step {
  readonly kind: 'key' | 'before' | 'after' | 'start' | 'end' | 'create' | 'many before' | 'many after';
  readonly task: number;
  readonly other: number;
  readonly offset: number;
}

/** Does it, and expects what a list would hold then. A refused write is done after the column is respread. */
async function place(column: Column, step: Step): Promise<void> {
  const { team, boardId, statusId, tasks } = column;
  const before = await tasks();
  if (step.kind === 'many before' || step.kind === 'many after') return placeMany(column, step, before);
  const moving = step.kind === 'create' ? null : before[step.task % before.length]!;
  const rest = before.filter((task) => task !== moving);
  const other = rest[step.other % Math.max(1, rest.length)];
  if (other === undefined) return;
  const key = other.statusOrderKey + step.offset;
  if (moving?.statusOrderKey === key) return;
  const where = {
    key: { statusOrderKey: key },
    create: { statusOrderKey: key },
    before: { beforeTaskId: other.id },
    after: { afterTaskId: other.id },
    start: { afterTaskId: null },
    end: { beforeTaskId: null },
  }[step.kind];
  const write = async (): Promise<string> => {
    if (moving !== null) return (await team.owner.tasks.update({ ...team.at, taskId: moving.id, ...where })).id;
    return (await team.owner.tasks.create({ ...team.at, boardId, statusId, title: 'new', ...where })).id;
  };
  const known = new Set(before.map(({ id }) => id));
  const result = await outcome(write());
  if (result === 'column-crowded') {
    await team.world.purge();
    const spread = await tasks();
    expect(spread.map(({ id }) => id)).to.deep.equal(before.map(({ id }) => id));
    // The same key may be free by now, or another's.
    if (step.kind !== 'key' && step.kind !== 'create') expect(await outcome(write())).to.equal('ok');
    return;
  }
  expect(result).to.equal('ok');
  const after = await tasks();
  const placed = moving?.id ?? after.find(({ id }) => !known.has(id))!.id;
  const at = {
    key: rest.filter((task) => task.statusOrderKey < key).length,
    create: rest.filter((task) => task.statusOrderKey < key).length,
    before: rest.indexOf(other),
    after: rest.indexOf(other) + 1,
    start: 0,
    end: rest.length,
  }[step.kind];
  const expected = rest.map(({ id }) => id).toSpliced(at, 0, placed);
  expect(after.map(({ id }) => id)).to.deep.equal(expected);
  expect(movedBetween(rest, after)).to.be.at.most(MAX_MOVED);
  expect(longestRun(after)).to.be.at.most(Math.max(MAX_MOVED, longestRun(before)));
}

/** Every third task goes beside another one, the last first. */
async function placeMany({ team, tasks }: Column, step: Step, before: readonly Task[]): Promise<void> {
  const moving = before.filter((_, n) => n % 3 === step.task % 3).toReversed();
  const rest = before.filter((task) => !moving.includes(task));
  const other = rest[step.other % Math.max(1, rest.length)];
  if (other === undefined || moving.length === 0) return;
  const where = step.kind === 'many before' ? { beforeTaskId: other.id } : { afterTaskId: other.id };
  const ids = moving.map(({ id }) => id);
  const write = () => outcome(team.owner.tasks.updateMany({ ...team.at, taskIds: ids, set: where }));
  const result = await write();
  if (result === 'column-crowded') {
    await team.world.purge();
    expect(await write()).to.equal('ok');
  } else expect(result).to.equal('ok');
  const after = await tasks();
  const at = rest.indexOf(other) + (step.kind === 'many after' ? 1 : 0);
  expect(after.map(({ id }) => id)).to.deep.equal(rest.map(({ id }) => id).toSpliced(at, 0, ...ids));
  if (result === 'ok') expect(movedBetween(rest, after)).to.be.at.most(MAX_MOVED);
  expect(longestRun(after)).to.be.at.most(Math.max(MAX_MOVED, longestRun(before)));
}

function movedBetween(before: readonly Task[], after: readonly Task[]): number {
  const keys = new Map(before.map(({ id, statusOrderKey }) => [id, statusOrderKey]));
  return after.filter(({ id, statusOrderKey }) => keys.has(id) && keys.get(id) !== statusOrderKey).length;
}

function longestRun(tasks: readonly Task[]): number {
  let longest = 0;
  let run = 0;
  for (const [n, { statusOrderKey }] of tasks.entries()) {
    run = tasks[n - 1]?.statusOrderKey === statusOrderKey - 1 ? run + 1 : 1;
    longest = Math.max(longest, run);
  }
  return longest;
}
