import { expect } from 'chai';
import { EventNames } from '../../../cli/changes/event-names.ts';
import { WorkspaceLookup } from '../../../cli/refs/workspace-lookup.ts';
import { newTeam } from '../../fixtures/team.ts';

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
});
