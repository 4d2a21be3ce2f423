import { expect } from 'chai';
import { MAX_LINKS } from '../../../../core/model/content/task-links.ts';
import { DAY, outcome } from '../../../fixtures/world/world.ts';
import { newTasks, to } from '../../../fixtures/world/linked-tasks.ts';

describe('a link between two tasks', () => {
  it('reads at both ends, changes both, and does nothing again', async () => {
    const { add, of } = await newTasks();
    const [a, b] = [await add('a'), await add('b')];
    const linked = await of.link(a, 'blocks', b);
    expect(linked.links).to.deep.equal([to('blocks', b)]);
    expect(await of.links(b)).to.deep.equal([to('blockedBy', a)]);
    expect([linked.version, (await of.get(b)).version]).to.deep.equal([2, 2]);
    expect((await of.link(a, 'blocks', b)).version).to.equal(2);
    await of.link(b, 'relates', a);
    expect((await of.link(a, 'relates', b)).version).to.equal(3);
    await of.link(a, 'duplicates', b);
    await of.link(a, 'parent', b);
    expect(await of.links(b)).to.deep.equal([
      to('child', a),
      to('blockedBy', a),
      to('relates', a),
      to('duplicatedBy', a),
    ]);
    await of.unlink(a, 'blocks', b);
    await of.unlink(b, 'relates', a);
    await of.unlink(a, 'duplicates', b);
    await of.unlinkParent(a);
    expect([await of.links(a), await of.links(b)]).to.deep.equal([[], []]);
    expect((await of.get(a)).version)
      .to.equal((await of.get(b)).version)
      .and.to.equal(9);
  });

  it('is refused where it cannot be', async () => {
    const { add, of, owner, at } = await newTasks();
    const [a, b, c] = [await add('a'), await add('b'), await add('c')];
    expect(await outcome(of.link(a, 'relates', a))).to.equal('invalid-input');
    expect(await outcome(of.unlink(a, 'relates', b))).to.equal('not-found');
    expect(await outcome(of.unlinkParent(a))).to.equal('not-found');
    await of.link(a, 'parent', b);
    expect(await outcome(of.link(a, 'parent', c))).to.equal('has-parent');
    expect(await outcome(of.unlink(b, 'parent', a))).to.equal('not-found');
    const stale = { ifVersion: [1] };
    const of2 = { ...at, fromTaskId: a, type: 'relates', taskId: b } as const;
    expect(await outcome(owner.tasks.link(of2, stale))).to.equal('version-mismatch');
    expect(await outcome(owner.tasks.unlink(of2, stale))).to.equal('version-mismatch');
    expect(await outcome(owner.tasks.unlinkParent(of2, stale))).to.equal('version-mismatch');
  });

  it('makes no cycle of parents, nor of what is blocked', async () => {
    const { add, of } = await newTasks();
    const ids = await Promise.all(['a', 'b', 'c', 'd'].map((title) => add(title)));
    const [a, b, c, d] = ids as [string, string, string, string];
    for (const type of ['parent', 'blocks'] as const) {
      await of.link(a, type, b);
      await of.link(b, type, c);
      await of.link(c, type, d);
      expect(await outcome(of.link(d, type, a))).to.equal('link-cycle');
      if (type === 'blocks') expect(await outcome(of.link(b, type, a))).to.equal('link-cycle');
      if (type === 'blocks') await of.link(a, type, d);
    }
    await of.link(d, 'relates', a);
    await of.link(a, 'duplicates', b);
    await of.link(b, 'duplicates', a);
  });

  it('is one of at most 100 of a kind, at both ends', async () => {
    const { add, of } = await newTasks();
    const hub = await add('hub');
    for (let n = 0; n < MAX_LINKS; n += 1) await of.link(await add(`child ${n}`), 'parent', hub);
    const one = await add('one');
    expect(await outcome(of.link(one, 'parent', hub))).to.equal('limit-reached');
    await of.link(one, 'relates', hub);
    expect((await of.get(hub)).childCount).to.equal(MAX_LINKS);
  });

  it('is told from a cycle within a bound', async () => {
    const { add, of } = await newTasks();
    const chain: string[] = [];
    for (let n = 0; n < 220; n += 1) chain.push(await add(`${n}`));
    for (let n = 1; n < 110; n += 1) await of.link(chain[n]!, 'parent', chain[n - 1]!);
    for (let n = 111; n < 220; n += 1) await of.link(chain[n]!, 'parent', chain[n - 1]!);
    expect(await outcome(of.link(chain[110]!, 'parent', chain[109]!))).to.equal('limit-reached');
    // Nothing leads on from here: there is nothing to look for.
    await of.link(await add('leaf'), 'parent', chain[109]!);
    await of.link(chain[0]!, 'parent', await add('root'));
  });
});

describe('what a task tells of its links', () => {
  it('counts children and says whether it is blocked, in lists too', async () => {
    const { add, of, owner, at } = await newTasks();
    const [parent, a, b, c] = [await add('parent'), await add('a'), await add('b'), await add('c')];
    await of.link(a, 'parent', parent);
    await of.link(b, 'parent', parent);
    await of.link(c, 'blocks', parent);
    const told = async (taskId: string) => {
      const { parentTaskId, childCount, childDone, blocked } = await of.get(taskId);
      const [listed] = (await owner.tasks.list({ ...at, num: [(await of.get(taskId)).num] })).items;
      expect(listed).to.include({ parentTaskId, childCount, childDone, blocked });
      return [parentTaskId, childCount, childDone, blocked];
    };
    expect(await told(parent)).to.deep.equal([null, 2, 0, true]);
    expect(await told(a)).to.deep.equal([parent, 0, 0, false]);
    const { version } = await of.get(parent);
    await owner.tasks.update({ ...at, taskId: a, complete: true });
    await owner.tasks.update({ ...at, taskId: c, complete: true });
    expect(await told(parent)).to.deep.equal([null, 2, 1, false]);
    expect((await of.get(parent)).version).to.equal(version);
  });

  it('may be sent back, but not changed, with an update', async () => {
    const { add, of, owner, at } = await newTasks(DAY);
    const [a, b] = [await add('a'), await add('b')];
    await of.link(a, 'parent', b);
    const read = await of.get(a);
    const update = (more: object) => owner.tasks.update({ ...read, ...at, taskId: a, ...more });
    expect((await update({ title: 'new' })).title).to.equal('new');
    expect(await outcome(update({ version: undefined, parentTaskId: null }))).to.equal('invalid-input');
    // That the parent is hidden now is no new version of the task.
    const again = await of.get(a);
    await owner.tasks.delete({ ...at, taskId: b });
    expect((await owner.tasks.update({ ...again, ...at, taskId: a, title: 'newer' })).title).to.equal('newer');
  });

  it('is found by parent, by what blocks it, and by what it is linked to', async () => {
    const { add, of, owner, at } = await newTasks();
    const ids = await Promise.all(['a', 'b', 'c', 'd'].map((title) => add(title)));
    const [a, b, c, d] = ids as [string, string, string, string];
    await of.link(b, 'parent', a);
    await of.link(c, 'parent', a);
    await of.link(d, 'blocks', c);
    await of.link(b, 'blocks', d);
    expect(await of.found({ parentTaskId: [a] })).to.deep.equal(['b', 'c']);
    expect(await of.found({ parentTaskId: ['none'] })).to.deep.equal(['a', 'd']);
    expect(await of.found({ parentTaskId: ['none', a], complete: false })).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(await of.found({ excludeParentTaskId: ['none'] })).to.deep.equal(['b', 'c']);
    expect(await of.found({ excludeParentTaskId: [a] })).to.deep.equal(['a', 'd']);
    expect(await of.found({ linkedTo: [d] })).to.deep.equal(['b', 'c']);
    expect(await of.found({ linkedTo: [d, a], sort: ['-title'] })).to.deep.equal(['c', 'b']);
    expect(await of.found({ excludeLinkedTo: [d] })).to.deep.equal(['a', 'd']);
    expect(await of.found({ blocked: true })).to.deep.equal(['c', 'd']);
    expect(await of.found({ blocked: false })).to.deep.equal(['a', 'b']);
    expect(await of.found({ excludeBlocked: true, linkedTo: [a] })).to.deep.equal(['b']);
    await owner.tasks.update({ ...at, taskId: b, complete: true });
    expect(await of.found({ blocked: true })).to.deep.equal(['c']);
    const { total } = await owner.tasks.list({ ...at, blocked: true, count: true });
    expect(total).to.equal(1);
    const many = { ...at, filter: { linkedTo: [a] }, count: 2, set: { priority: 100 } };
    expect(await owner.tasks.updateMany(many)).to.deep.equal({ count: 2 });
  });
});
