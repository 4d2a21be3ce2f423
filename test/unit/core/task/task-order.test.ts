import { assert, expect } from 'chai';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { outcome } from '../../../fixtures/world/world.ts';

const LIMIT = 2 ** 52;

interface Column {
  readonly team: Team;
  readonly boardId: string;
  readonly statusId: string;
  readonly add: (title: string, placing?: object) => Promise<string>;
  readonly put: (taskId: string, placing: object) => Promise<number>;
  readonly order: () => Promise<string>;
  readonly keys: () => Promise<readonly number[]>;
}

async function newColumn(): Promise<Column> {
  const team = await newTeam();
  const { owner, at } = team;
  const { id: boardId, todo: statusId } = await team.board('Board');
  const all = async () => {
    const found: { readonly title: string; readonly statusOrderKey: number | null }[] = [];
    let cursor: string | null = null;
    do {
      const slice: Awaited<ReturnType<typeof owner.tasks.list>> = await owner.tasks.list({
        ...at,
        statusId: [statusId],
        sort: ['position'],
        limit: 500,
        ...(cursor === null ? {} : { cursor }),
      });
      found.push(...slice.items);
      cursor = slice.next;
    } while (cursor !== null);
    return found;
  };
  return {
    team,
    boardId,
    statusId,
    add: async (title, placing = {}) => (await owner.tasks.create({ ...at, boardId, title, ...placing })).id,
    put: async (taskId, placing) => (await owner.tasks.update({ ...at, taskId, ...placing })).statusOrderKey!,
    order: async () => (await all()).map(({ title }) => title).join(''),
    keys: async () => (await all()).map(({ statusOrderKey }) => statusOrderKey!),
  };
}

async function withThree(): Promise<Column & { readonly a: string; readonly b: string; readonly c: string }> {
  const column = await newColumn();
  return { ...column, a: await column.add('a'), b: await column.add('b'), c: await column.add('c') };
}

describe('tasks: order', () => {
  it('begins with the last and 1024', async () => {
    const { keys } = await withThree();
    const [a, b, c] = (await keys()) as [number, number, number];
    expect([b - a, c - b]).to.deep.equal([1024, 1024]);
  });

  it('before, after, at the start and at the end', async () => {
    const { a, b, c, add, put, order } = await withThree();
    await put(c, { beforeTaskId: a });
    expect(await order()).to.equal('cab');
    await put(c, { afterTaskId: a });
    expect(await order()).to.equal('acb');
    await put(a, { beforeTaskId: null });
    expect(await order()).to.equal('cba');
    await put(a, { afterTaskId: null });
    expect(await order()).to.equal('acb');
    await add('d', { afterTaskId: b });
    await add('e', { beforeTaskId: b });
    await add('f', { afterTaskId: null });
    expect(await order()).to.equal('facebd');
    // Where it stands already.
    await put(b, { beforeTaskId: null });
    await put(b, { beforeTaskId: null });
    expect(await order()).to.equal('facedb');
  });

  it('a key puts it there, and those from it on move up as far as the next gap', async () => {
    const column = await newColumn();
    const { add, keys, order } = column;
    for (const [title, key] of [
      ['a', 10],
      ['b', 11],
      ['c', 13],
    ] as const)
      await add(title, { statusOrderKey: key });
    await add('x', { statusOrderKey: 10 });
    expect([await order(), await keys()]).to.deep.equal(['xabc', [10, 11, 12, 13]]);
    await add('y', { statusOrderKey: 5 });
    expect([await order(), await keys()]).to.deep.equal(['yxabc', [5, 10, 11, 12, 13]]);
  });

  it('a key that is taken, of a task whose own place is the next gap', async () => {
    const column = await newColumn();
    const { add, put, keys, order } = column;
    const ids: string[] = [];
    for (const [n, title] of ['a', 'b', 'c', 'd'].entries()) ids.push(await add(title, { statusOrderKey: n }));
    expect(await put(ids[2]!, { statusOrderKey: 0 })).to.equal(0);
    expect([await order(), await keys()]).to.deep.equal(['cabd', [0, 1, 2, 3]]);
    expect(await put(ids[2]!, { statusOrderKey: 3 })).to.equal(3);
    expect([await order(), await keys()]).to.deep.equal(['abcd', [1, 2, 3, 4]]);
    expect(await put(ids[0]!, { statusOrderKey: 2 })).to.equal(2);
    expect(await order()).to.deep.equal('abcd');
  });

  it('a long run moves as far as its gap', async () => {
    const column = await newColumn();
    const { add, keys } = column;
    for (let n = 0; n < 200; n += 1) await add('a', { statusOrderKey: n < 150 ? n : n + 1 });
    await add('x', { statusOrderKey: 0 });
    expect(await keys()).to.deep.equal(Array.from({ length: 201 }, (_, n) => n));
  });

  it('a key at the start of a run that may not get longer becomes the nearest below that lengthens none', async () => {
    const { add, put, keys } = await newColumn();
    for (let n = 0; n < 255; n += 1) await add('a', { statusOrderKey: 1000 + n });
    const [longest, taskId] = [await add('b', { statusOrderKey: -1 }), await add('x', { statusOrderKey: -3 })];
    expect(await put(longest, { statusOrderKey: 1000 })).to.equal(1000);
    const before = (await keys()).slice(1);
    expect(await put(taskId, { statusOrderKey: 1000 })).to.equal(998);
    expect(await keys()).to.deep.equal([998, ...before]);
  });

  it('takes one placing, of a task of the status that one sees', async () => {
    const { a, b, team, boardId, put, add } = await withThree();
    expect(await outcome(put(a, { beforeTaskId: b, statusOrderKey: 1 }))).to.equal('invalid-input');
    expect(await outcome(put(a, { beforeTaskId: null, afterTaskId: null }))).to.equal('invalid-input');
    expect(await outcome(put(a, { beforeTaskId: a }))).to.equal('unusable-reference');
    expect(await outcome(put(a, { afterTaskId: boardId }))).to.equal('unusable-reference');
    const other = await team.board('Other');
    expect(await outcome(put(a, { afterTaskId: await team.task(other.id, 'x') }))).to.equal('unusable-reference');
    const hidden = await team.page('Hidden', boardId, 'task');
    await team.grant(hidden, team.member, 0);
    const place = team.member.tasks.update({ ...team.at, taskId: a, afterTaskId: hidden });
    expect(await outcome(place)).to.equal('unusable-reference');
    expect(await outcome(add('y', { afterTaskId: hidden }))).to.equal('ok');
  });

  it('a status of the same board takes the key that is given with it, the same one too', async () => {
    const { a, b, team, boardId } = await withThree();
    const { owner, at } = team;
    const { id: statusId } = await owner.statuses.create({ ...at, boardId, name: 'Next' });
    const { statusOrderKey: key } = await owner.tasks.get({ ...at, taskId: a });
    await owner.tasks.update({ ...at, taskId: b, statusId, statusOrderKey: key! });
    const moved = await owner.tasks.update({ ...at, taskId: a, statusId, statusOrderKey: key! });
    expect([moved.statusId, moved.statusOrderKey]).to.deep.equal([statusId, key]);
    assert((await owner.tasks.get({ ...at, taskId: b })).statusOrderKey! > key!);
  });

  it('holds at both ends of the range', async () => {
    const { add, keys, order } = await newColumn();
    await add('z', { statusOrderKey: LIMIT });
    await add('a', { statusOrderKey: -LIMIT });
    expect(await keys()).to.deep.equal([-LIMIT, LIMIT]);
    await add('y', { statusOrderKey: LIMIT });
    expect(await order()).to.equal('ayz');
    await add('!');
    expect(await order()).to.equal('ayz!');
    await add('0', { afterTaskId: null });
    expect(await order()).to.equal('0ayz!');
    const all = await keys();
    assert(all.every((key) => Number.isSafeInteger(key) && Math.abs(key) <= LIMIT));
    expect(new Set(all).size).to.equal(all.length);
  });

  it('survives a full stretch at the end of the range, on every side', async () => {
    const { add, put, keys, order } = await newColumn();
    let expected = '';
    const ids: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      ids.push(await add(String.fromCharCode(65 + n), { statusOrderKey: LIMIT - 39 + n }));
      expected += String.fromCharCode(65 + n);
    }
    await put(ids[5]!, { beforeTaskId: null });
    expected = expected.replace('F', '') + 'F';
    expect(await order()).to.equal(expected);
    await put(ids[0]!, { statusOrderKey: LIMIT });
    await put(ids[1]!, { beforeTaskId: ids[2]! });
    await put(ids[3]!, { afterTaskId: ids[2]! });
    const all = await keys();
    expect(new Set(all).size).to.equal(40);
    assert(all.every((key) => Math.abs(key) <= LIMIT));
  });

  it('thousands of insertions at one place keep their order and touch few others', async () => {
    const column = await newColumn();
    const { team, boardId } = column;
    const first = await column.add('first');
    const last = await column.add(',last');
    const COUNT = 3000;
    let rewritten = 0;
    let before = new Map<string, number>();
    for (let n = 0; n < COUNT; n += 1) {
      await column.add(`,${n}`, n % 2 === 0 ? { beforeTaskId: last } : { afterTaskId: first });
      if (n % 100 !== 99) continue;
      const tasks = await team.world.store.read((tx) =>
        tx.tasks.find({
          workspaceId: team.workspaceId,
          scope: null,
          filters: [],
          sort: [{ field: 'id', descending: false }],
          after: null,
          limit: 10_000,
        }),
      );
      for (const task of tasks) rewritten += task.version - (before.get(task.id) ?? 1);
      before = new Map(tasks.map((task) => [task.id, task.version]));
    }
    const evens = Array.from({ length: COUNT / 2 }, (_, n) => `,${2 * n}`).join('');
    const odds = Array.from({ length: COUNT / 2 }, (_, n) => `,${COUNT - 1 - 2 * n}`).join('');
    assert((await column.order()) === `first${odds}${evens},last`);
    assert(rewritten < 20 * COUNT, `${rewritten} rewritten`);
    expect((await team.owner.boards.get({ ...team.at, boardId })).statuses[0]?.taskCount).to.equal(COUNT + 2);
  });

  it('holds under random moves, however narrow the column', async () => {
    const { add, put, order, keys } = await newColumn();
    let expected = '';
    const ids = new Map<string, string>();
    for (let n = 0; n < 50; n += 1) {
      const title = String.fromCharCode(97 + n);
      ids.set(title, await add(title, { statusOrderKey: n }));
      expected += title;
    }
    let state = 7;
    const below = (bound: number) => (state = (state * 1103515245 + 12345) % 2 ** 31) % bound;
    for (let n = 0; n < 600; n += 1) {
      const [moving, other] = [expected[below(50)]!, expected[below(50)]!];
      if (moving === other) continue;
      const rest = expected.replace(moving, '');
      const i = rest.indexOf(other);
      const kind = below(3);
      if (kind === 0) {
        await put(ids.get(moving)!, { beforeTaskId: ids.get(other)! });
        expected = rest.slice(0, i) + moving + rest.slice(i);
      } else if (kind === 1) {
        await put(ids.get(moving)!, { afterTaskId: ids.get(other)! });
        expected = rest.slice(0, i + 1) + moving + rest.slice(i + 1);
      } else {
        const key = (await keys())[expected.indexOf(other)]!;
        expect(await put(ids.get(moving)!, { statusOrderKey: key })).to.equal(key);
        expected = rest.slice(0, i) + moving + rest.slice(i);
      }
      if (n % 10 === 0) expect(await order(), `move ${n}`).to.equal(expected);
    }
    expect(await order()).to.equal(expected);
  });
});
