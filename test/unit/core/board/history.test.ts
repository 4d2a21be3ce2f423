import { expect } from 'chai';
import type { HistoryEntryView } from '../../../../core/history/view.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { newTask, told } from '../../../fixtures/suite/task-history.ts';

describe('the history of boards and pages', () => {
  it('tells what became of statuses and tags', async () => {
    const { owner, at, boardId, todo } = await newTask();
    await owner.statuses.update({ ...at, boardId, statusId: todo, name: 'Open' });
    const tag = await owner.tags.create({ ...at, boardId, name: 'bug', color: 'red' });
    await owner.tags.delete({ ...at, boardId, tagId: tag.id });
    const entries = (await owner.boards.history({ ...at, boardId })).items;
    const shown = { id: tag.id, name: 'bug', color: 'red' };
    expect(entries.map(told).filter(([, change]) => change !== undefined && change[0] === 'tags')).to.deep.equal([
      ['board.update', ['tags', shown, null]],
      ['board.update', ['tags', null, shown]],
    ]);
    const renamed = entries.find(({ changes }) => changes[0]?.field === 'statuses' && changes[0].from !== null)!;
    expect([renamed.changes[0]!.from, renamed.changes[0]!.to]).to.have.nested.property('[1].name', 'Open');
    expect(entries.at(-1)!.action).to.equal('board.create');
  });

  it('tells where a page was, and who was let in, as far as the reader may know', async () => {
    const { owner, member, guest, at, grant, page } = await newTeam();
    const [from, to] = [await page('From'), await page('To')];
    const moved = await page('Moved', from);
    await owner.pages.update({ ...at, pageId: moved, parentId: to });
    await grant(moved, guest, 100);
    await grant(moved, member, 200);
    await grant(from, member, 0);
    const entries = async (who: typeof member) => (await who.pages.history({ ...at, pageId: moved })).items;
    const change = (all: readonly HistoryEntryView[], field: string) =>
      all.flatMap(({ changes }) => changes).filter((one) => one.field === field);
    const [parent] = change(await entries(owner), 'parentId');
    expect(parent).to.deep.equal({ field: 'parentId', from: { id: from, name: 'From' }, to: { id: to, name: 'To' } });
    expect(change(await entries(member), 'parentId')[0]).to.deep.equal({ ...parent, from: null });
    expect(change(await entries(member), 'entries')).to.have.length(2);
    expect(change(await entries(guest), 'entries')).to.deep.equal([
      { field: 'entries', from: null, to: { id: guest.memberId, name: 'Guest', access: 100 } },
    ]);
  });

  it('has no entry of pages that make room for others, nor do their versions or events tell of it', async () => {
    const { owner, member, at, page, world } = await newTeam();
    const shown = [await page('A'), await page('B')];
    const hidden = [await page('C'), await page('D')];
    for (const pageId of hidden) await owner.access.changeSettings({ ...at, pageId, inherit: false, defaultAccess: 0 });
    let since = '';
    await member.workspaces.get(at, { onCursor: (now) => void (since = now) });
    await owner.pages.update({ ...at, pageId: shown[1]!, name: 'B2' });
    const seen = () => Promise.all(shown.map((pageId) => member.pages.get({ ...at, pageId })));
    const events = async () => (await member.changes.list({ ...at, since })).items;
    const [pages, told] = [await seen(), await events()];
    expect(told.map(({ type, id, fields }) => [type, id, fields])).to.deep.equal([['page.update', shown[1], ['name']]]);
    // Each takes half of the room that is left behind the first.
    for (let n = 0; n < 80; n += 1) await owner.pages.update({ ...at, pageId: hidden[n % 2]!, orderIndex: 1 });
    await world.purge();
    expect(await seen()).to.deep.equal(pages);
    expect(await events()).to.deep.equal(told);
    for (const pageId of shown) {
      const { items } = await member.pages.history({ ...at, pageId });
      expect(items.map(({ action }) => action)).to.deep.equal(
        pageId === shown[1] ? ['page.update', 'page.create'] : ['page.create'],
      );
    }
    expect((await owner.pages.history({ ...at, pageId: hidden[0]! })).items).to.have.lengthOf.above(40);
  });
});
