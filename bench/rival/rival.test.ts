import { expect } from 'chai';
import type { Shot } from '../load/lua.ts';
import { namesOf, SMALL } from '../world/shape.ts';
import { collectionsWith } from './collections.ts';
import { cpuIn } from '../process/cpu.ts';
import { entriesOf, type Entry } from './records.ts';
import { createTask, getTasks, moveTasks } from './requests.ts';

const IDS = /id[0-9a-f]{13}/g;

describe('the world of the rival', () => {
  let entries: Entry[];
  beforeEach(async () => {
    entries = [];
    for await (const entry of entriesOf(SMALL)) entries.push(entry);
  });

  const idsIn = (body: unknown) => JSON.stringify(body).match(IDS) ?? [];

  it('has what the world of the bench has, but for pages', () => {
    const counts: Record<string, number> = {};
    for (const { collection } of entries) counts[collection] = (counts[collection] ?? 0) + 1;
    expect(counts).to.deep.equal({
      workspaces: 1,
      users: SMALL.members,
      members: SMALL.members,
      boards: SMALL.boards,
      statuses: 4,
      tags: 8,
      tasks: SMALL.tasks,
    });
  });

  it('gives each record an id of its own, as long as it has to be, before another names it', () => {
    const known = new Set<string>();
    for (const { body } of entries) {
      const { id, ...rest } = body;
      expect(id).to.match(/^id[0-9a-f]{13}$/);
      expect(known.has(id as string)).to.equal(false);
      for (const named of idsIn(rest)) expect(known.has(named), `${named} of ${String(id)}`).to.equal(true);
      known.add(id as string);
    }
  });

  it('has no field that its collection does not have', () => {
    const fields = new Map(
      collectionsWith('relation').map(({ name, fields: of }) => [name, of.map((field) => field.name)]),
    );
    for (const { collection, body } of entries) {
      if (collection !== 'users') expect(['id', ...fields.get(collection)!]).to.include.members(Object.keys(body));
    }
  });

  it('is asked for what is there', () => {
    const known = new Set(entries.map(({ body }) => body['id']));
    const shots = [...getTasks(SMALL, 't'), ...moveTasks(SMALL, 't'), createTask(SMALL, 't')];
    for (const id of new Set(shots.flatMap(({ path, body }) => idsIn([path, body])))) {
      expect(known.has(id), id).to.equal(true);
    }
  });

  it('changes column and place of a task whenever that is moved', () => {
    const [{ path: first }] = getTasks(SMALL, 't') as [Shot];
    const ofFirst = moveTasks(SMALL, 't').filter(({ path }) => path === first);
    const bodies = ofFirst.map(({ body }) => body as { readonly status: string; readonly position: number });
    expect(new Set(bodies.map(({ status }) => status)).size).to.equal(4);
    expect(new Set(bodies.map(({ position }) => position)).size).to.equal(4);
    // The first moves on from where the last round left it.
    const { status } = namesOf(SMALL);
    expect(bodies[0]!.status.slice(-12)).to.equal(status(0, 1).slice(-12));
    expect(bodies.at(-1)!.status.slice(-12)).to.equal(status(0, 0).slice(-12));
  });
});

describe('the CPU of a process', () => {
  it('is that of user and system, whatever the name of its program', () => {
    const rest = 'S 1 1 1 0 -1 0 1 2 3 4 150 25 9 9 20 0';
    expect(cpuIn(`42 (base) ${rest}`)).to.equal(1_750_000);
    expect(cpuIn(`42 (a ) b (c) 7) ${rest}`)).to.equal(1_750_000);
  });
});
