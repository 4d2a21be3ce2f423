import { expect } from 'chai';
import { describeHistoryEntry } from '../../../../core/history/describe.ts';
import type { HistoryKind } from '../../../../core/model/log/history-entry.ts';
import { PREFIX } from '../../../../adapters/store-kv/engine/key-prefixes.ts';
import { type Asked, countingKvStore } from '../../../fixtures/store/counting-kv-store.ts';
import { finishJobs } from '../../../fixtures/jobs.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { newWorld, outcome } from '../../../fixtures/world/world.ts';
import { newTask, told } from '../../../fixtures/suite/task-history.ts';

describe('the history of a task', () => {
  it('tells each change of each field, newest first, and ends with the creation', async () => {
    const { owner, member, at, boardId, todo, on, history } = await newTask();
    const doing = (await owner.statuses.create({ ...at, boardId, name: 'Doing' })).id;
    const tag = await owner.tags.create({ ...at, boardId, name: 'bug' });
    await owner.tasks.update({ ...on, title: 'Better', description: 'x'.repeat(900), priority: 300 });
    await member.tasks.update({ ...on, statusId: doing });
    await owner.tasks.addTag({ ...on, tagId: tag.id });
    await owner.tasks.assign({ ...on, memberId: member.memberId });
    await owner.tasks.update({ ...on, plannedEndDate: '2026-03-01', externalId: 'x'.repeat(200) });
    const entries = await history();
    expect(entries.map(told)).to.deep.equal([
      ['task.update', ['dateEnd', null, '2026-03-01'], ['externalId', null, 'x'.repeat(200)]],
      ['task.update', ['assignees', [], [{ id: member.memberId, name: 'Member' }]]],
      ['task.update', ['tags', [], [{ id: tag.id, name: 'bug' }]]],
      [
        'task.update',
        ['statusId', { id: todo, name: 'To do' }, { id: doing, name: 'Doing' }],
        ...entries[3]!.changes
          .filter(({ field }) => field === 'statusOrderKey')
          .map(({ from, to }) => ['statusOrderKey', from, to]),
      ],
      ['task.update', ['title', 'Task', 'Better'], ['description', null, null], ['priority', 0, 300]],
      ['task.create'],
    ]);
    expect(entries.map(({ byId }) => byId === member.memberId)).to.deep.equal([
      false,
      false,
      false,
      true,
      false,
      false,
    ]);
    const seqs = entries.slice(0, -1).map(({ seq }) => seq!);
    expect(seqs).to.deep.equal(seqs.toSorted((a, b) => b - a));
    expect(entries.at(-1)!.seq).to.equal(null);
  });

  it('has the seq of the feed', async () => {
    const { owner, at, on, history } = await newTask();
    let since = '';
    await owner.workspaces.get(at, { onCursor: (cursor) => void (since = cursor) });
    await owner.tasks.update({ ...on, title: 'Better' });
    const [event] = (await owner.changes.list({ ...at, since })).items;
    expect((await history())[0]!.seq).to.equal(event!.seq);
  });

  it('has entries of comments without their text, and of the items of the checklist', async () => {
    const { owner, member, on, history } = await newTask();
    const { id: commentId } = await member.comments.create({ ...on, content: 'secret words' });
    await member.comments.update({ ...on, commentId, content: 'other words' });
    await owner.comments.delete({ ...on, commentId });
    const { id: itemId } = await owner.checklists.create({ ...on, text: 'Ask', assigneeId: member.memberId });
    await owner.checklists.update({ ...on, itemId, done: true });
    const entries = await history();
    const item = { id: itemId, text: 'Ask', assignee: { id: member.memberId, name: 'Member' } };
    expect(entries.map(told)).to.deep.equal([
      ['task.update', ['checklist', { ...item, done: false }, { ...item, done: true }]],
      ['task.update', ['checklist', null, { ...item, done: false }]],
      ['comment.delete'],
      ['comment.update'],
      ['comment.create'],
      ['task.create'],
    ]);
    expect(entries.slice(2, 5).map((entry) => entry.commentId)).to.deep.equal([commentId, commentId, commentId]);
    expect(JSON.stringify(entries)).not.to.include('words');
  });

  it('keeps the names of statuses, tags and members that are gone', async () => {
    const { owner, member, at, boardId, todo, on, history, world } = await newTask();
    const doing = (await owner.statuses.create({ ...at, boardId, name: 'Doing' })).id;
    const tag = await owner.tags.create({ ...at, boardId, name: 'bug' });
    await owner.tasks.update({ ...on, statusId: doing, tags: [tag.id], assignees: [member.memberId] });
    await owner.statuses.update({ ...at, boardId, statusId: doing, name: 'In work' });
    await owner.statuses.delete({ ...at, boardId, statusId: doing, moveTo: todo });
    await owner.tags.delete({ ...at, boardId, tagId: tag.id });
    await owner.members.remove({ ...at, memberId: member.memberId });
    await finishJobs(world.ports);
    const first = (await history()).at(-2)!;
    const to = Object.fromEntries(first.changes.map((change) => [change.field, change.to]));
    expect(to).to.deep.include({
      statusId: { id: doing, name: 'In work' },
      tags: [{ id: tag.id, name: 'bug' }],
      assignees: [{ id: member.memberId, name: 'Member' }],
    });
  });

  it('says nothing of boards that the reader may not see', async () => {
    const { owner, member, at, boardId, on, grant, history } = await newTask();
    const secret = await owner.boards.create({ ...at, name: 'Secret' });
    await owner.statuses.create({ ...at, boardId: secret.id, name: 'Plot' });
    await grant(secret.id, member, 0);
    await owner.pages.create({ ...at, name: 'Task', type: 'task', taskId: on.taskId });
    await owner.tasks.update({ ...on, boardId: secret.id, title: 'Moved' });
    await owner.tasks.update({ ...on, statusOrderKey: 5 });
    const hidden = await history(member);
    expect(JSON.stringify(hidden))
      .not.to.match(/Secret|Plot/)
      .and.not.to.include(secret.id);
    // What was on the hidden board alone is not there at all.
    expect(hidden.map(({ action }) => action)).to.deep.equal(['task.update', 'task.update', 'task.create']);
    const [moved] = hidden;
    expect(moved!.changes).to.deep.include({ field: 'title', from: 'Task', to: 'Moved' });
    expect(moved!.changes).to.deep.include({ field: 'boardId', from: { id: boardId, name: 'Board' }, to: null });
    await grant(boardId, member, 0);
    const more = await history(member);
    expect(more[0]!.changes).to.deep.include({ field: null, from: null, to: null });
    expect(JSON.stringify(more)).not.to.include(boardId);
    expect((await history()).length).to.equal(4);
  });

  it('shows guests no other members, and requests to admins alone', async () => {
    const { owner, guest, member, boardId, on, grant, world } = await newTask();
    await grant(boardId, guest, 100);
    const asOwner = world.as({ caller: { kind: 'user', userId: owner.userId }, requestId: 'request-1' });
    await asOwner.tasks.update({ ...on, title: 'Better', assignees: [member.memberId] });
    const [seen] = (await guest.tasks.history(on)).items;
    expect([seen!.byId, seen!.requestId]).to.deep.equal([null, null]);
    expect(seen!.changes).to.deep.include({ field: 'assignees', from: [], to: [{ id: member.memberId, name: null }] });
    expect((await member.tasks.history(on)).items[0]).to.include({ byId: owner.memberId, requestId: null });
    expect((await owner.tasks.history(on)).items[0]!.requestId).to.equal('request-1');
  });

  it('says once that a task, or its page, has moved', async () => {
    const { owner, at, board, page, on, history } = await newTask();
    const { id: boardId } = await board('Other');
    await owner.tasks.update({ ...on, boardId, priority: 400 });
    expect(describeHistoryEntry((await history())[0]!)).to.equal(
      'moved it from Board to Other and set the priority to urgent',
    );
    const [one, two] = [await page('One'), await page('Two')];
    const pageId = await page('Page', one);
    await owner.pages.update({ ...at, pageId, parentId: two });
    const [moved] = (await owner.pages.history({ ...at, pageId })).items;
    expect(describeHistoryEntry(moved!)).to.equal('moved it from One to Two');
  });

  it('tells of the top, which reads like a page that is hidden or gone, by the other side of the move', async () => {
    const { owner, at, page } = await newTask();
    const one = await page('One');
    const pageId = await page('Page', one);
    for (const parentId of [null, one]) await owner.pages.update({ ...at, pageId, parentId });
    const { items } = await owner.pages.history({ ...at, pageId });
    expect(items.slice(0, 2).map(describeHistoryEntry)).to.deep.equal(['moved it into One', 'moved it out of One']);
    await owner.pages.update({ ...at, pageId, parentId: null });
    await owner.pages.delete({ ...at, pageId: one });
    const sentences = (await owner.pages.history({ ...at, pageId })).items.map(describeHistoryEntry);
    expect(sentences.slice(0, 3)).to.deep.equal(['moved it', 'moved it', 'moved it']);
  });

  it('does not call a linked task hidden that is deleted', async () => {
    const { owner, at, boardId, on, history } = await newTask();
    const other = await owner.tasks.create({ ...at, boardId, title: 'Other' });
    await owner.tasks.link({ ...at, fromTaskId: on.taskId, type: 'blocks', taskId: other.id });
    const sentence = async () => describeHistoryEntry((await history())[0]!);
    expect(await sentence()).to.equal('linked what it blocks: "Other"');
    await owner.tasks.delete({ ...at, taskId: other.id });
    expect(await sentence()).to.equal('unlinked what it blocks: a task that is deleted or hidden from you');
  });

  it('is read in parts, each entry once', async () => {
    const { owner, on } = await newTask();
    for (let n = 1; n <= 7; n += 1) await owner.tasks.update({ ...on, title: `Title ${n}` });
    const titles: unknown[] = [];
    for (let cursor: string | undefined; ;) {
      const slice = await owner.tasks.history({ ...on, limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      titles.push(...slice.items.map(({ action, changes }) => changes[0]?.to ?? action));
      if (slice.next === null) break;
      cursor = slice.next;
    }
    expect(titles).to.deep.equal([7, 6, 5, 4, 3, 2, 1].map((n) => `Title ${n}`).concat('task.create'));
  });

  it('has no entry of tasks that make room for others', async () => {
    const { owner, at, boardId, todo, on, history } = await newTask();
    const other = await owner.tasks.create({ ...at, boardId, title: 'Other', statusId: todo });
    const { statusOrderKey } = await owner.tasks.get(on);
    await owner.tasks.update({ ...at, taskId: other.id, statusOrderKey: statusOrderKey! });
    expect((await owner.tasks.get(on)).statusOrderKey).not.to.equal(statusOrderKey);
    expect(await history()).to.have.length(1);
    expect((await owner.tasks.history({ ...at, taskId: other.id })).items).to.have.length(2);
  });

  it('goes with the task, the board and the page', async () => {
    const { owner, at, boardId, on, world } = await newTask();
    const folder = await owner.pages.create({ ...at, name: 'Folder', type: 'folder' });
    await owner.pages.update({ ...at, pageId: folder.id, name: 'Other' });
    for (let n = 1; n <= 120; n += 1) await owner.tasks.update({ ...on, title: `Title ${n}` });
    await owner.boards.update({ ...at, boardId, name: 'Better' });
    const kept = async () => {
      const counts: number[] = [];
      const histories: [HistoryKind, string][] = [
        ['task', on.taskId],
        ['board', boardId],
        ['page', folder.id],
      ];
      for (const [kind, recordId] of histories) {
        const of = { workspaceId: at.workspaceId, kind, recordId };
        counts.push((await world.store.read((tx) => tx.changeLog.historyOf(of, null, 999))).length);
      }
      return counts;
    };
    expect(await kept()).to.deep.equal([120, 2, 1]);
    await owner.tasks.delete({ ...on }, { ifVersion: [121] });
    await finishJobs(world.ports);
    expect(await kept()).to.deep.equal([0, 2, 1]);
    await owner.pages.delete({ ...at, pageId: folder.id });
    await owner.boards.delete({ ...at, boardId });
    await finishJobs(world.ports);
    expect(await kept()).to.deep.equal([0, 0, 0]);
    expect(await outcome(owner.tasks.history(on))).to.equal('not-found');
  });

  it('reads each entry once that it leaves out, however few are asked for', async () => {
    const asked: Asked = { got: [], put: [] };
    const { owner, member, at, task, board, grant } = await newTeam(newWorld(countingKvStore(asked)));
    const { id: boardId } = await board('Secret');
    await grant(boardId, member, 0);
    const on = { ...at, taskId: await task(boardId, 'Task') };
    await owner.pages.create({ ...at, name: 'Task', type: 'task', taskId: on.taskId });
    const hidden = 200;
    for (let n = 1; n <= hidden; n += 1) await owner.tasks.update({ ...on, statusOrderKey: n });
    asked.got.length = 0;
    const { items, next } = await member.tasks.history({ ...on, limit: 2 });
    expect([items.map(({ action }) => action), next]).to.deep.equal([['task.update', 'task.create'], null]);
    expect(asked.got.filter((prefix) => prefix === PREFIX.loggedChange).length).to.be.at.most(hidden + 9);
    expect(asked.got.length).to.be.at.most(hidden + 100);
    const [first] = (await member.tasks.history({ ...on, limit: 1 })).items;
    expect(first).to.deep.equal(items[0]);
  });
});
