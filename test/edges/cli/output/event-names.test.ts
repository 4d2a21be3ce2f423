import { expect } from 'chai';
import { EventNames } from '../../../../cli/changes/event-names.ts';
import { WorkspaceLookup } from '../../../../cli/refs/workspace-lookup.ts';
import { newTeam } from '../../../fixtures/world/team.ts';

describe('the names of what events are about', () => {
  it('are those of now where pages are hidden, renamed and shown again, and are not read for each', async () => {
    const { owner, member, at, workspaceId, page, grant } = await newTeam();
    const plans = await page('Plans');
    const low = await page('Low', plans);
    let reads = 0;
    const list: typeof member.pages.list = (...input) => {
      reads += 1;
      return member.pages.list(...input);
    };
    const session = { ...member, pages: { ...member.pages, list } };
    const names = await EventNames.of(new WorkspaceLookup(session, workspaceId));
    let since = '';
    await member.workspaces.get(at, { onCursor: (cursor) => void (since = cursor) });
    const follow = async () => {
      const { items, cursor } = await member.changes.list({ ...at, since });
      since = cursor;
      const named: unknown[] = [];
      for (const event of items) {
        await names.learn(event);
        named.push([event.type, names.expanded(event).expanded.page?.name]);
      }
      return named;
    };
    await grant(plans, member, 0);
    expect(await follow()).to.deep.equal([['page.hide', 'Plans']]);
    await owner.pages.update({ ...at, pageId: plans, name: 'Roadmap' });
    await owner.pages.update({ ...at, pageId: low, name: 'High' });
    await grant(plans, member, 100);
    expect(await follow()).to.deep.equal([['page.show', 'Roadmap']]);
    await owner.pages.update({ ...at, pageId: low, metadata: { colour: 'red' } });
    expect(await follow()).to.deep.equal([['page.update', 'High']]);
    expect(reads).to.equal(2);
  });

  it('tell the task of a comment as long as it is there, and are read once for all comments of a task', async () => {
    const { owner, at, workspaceId, board, task } = await newTeam();
    const { id: boardId } = await board('Board');
    const taskId = await task(boardId, 'Plan');
    let reads = 0;
    const get: typeof owner.tasks.get = (...input) => {
      reads += 1;
      return owner.tasks.get(...input);
    };
    const session = { ...owner, tasks: { ...owner.tasks, get } };
    const names = await EventNames.of(new WorkspaceLookup(session, workspaceId));
    let since = '';
    await owner.workspaces.get(at, { onCursor: (cursor) => void (since = cursor) });
    const follow = async () => {
      const { items, cursor } = await owner.changes.list({ ...at, since });
      since = cursor;
      const named: unknown[] = [];
      for (const event of items) {
        await names.learn(event);
        named.push([event.type, names.record(event), names.expanded(event).expanded.task?.title]);
      }
      return named;
    };
    const add = async () => (await owner.comments.create({ ...at, taskId, content: 'Text' })).id;
    await add();
    const commentId = await add();
    const comment = ['comment.create', '#1 Plan', 'Plan'];
    expect(await follow()).to.deep.equal([comment, comment]);
    expect(reads).to.equal(1);
    await owner.tasks.update({ ...at, taskId, title: 'Roadmap' });
    await add();
    expect((await follow()).at(-1)).to.deep.equal(['comment.create', '#1 Roadmap', 'Roadmap']);
    expect(reads).to.equal(2);
    await owner.comments.delete({ ...at, taskId, commentId });
    const gone = await owner.changes.list({ ...at, since });
    await owner.tasks.delete({ ...at, taskId });
    await names.learn({ ...gone.items[0]!, type: 'task.delete', id: taskId, taskId: null });
    for (const event of gone.items) await names.learn(event);
    expect(names.expanded(gone.items[0]!).expanded.task).to.deep.equal({ id: taskId, num: null, title: null });
    expect(names.record(gone.items[0]!)).to.equal('');
  });
});
