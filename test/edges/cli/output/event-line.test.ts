import { expect } from 'chai';
import { eventLine } from '../../../../cli/changes/event-line.ts';
import { EventNames } from '../../../../cli/changes/event-names.ts';
import { localDay } from '../../../../cli/config/dates.ts';
import { plain } from '../../../../cli/output/table/style.ts';
import { WorkspaceLookup } from '../../../../cli/refs/workspace-lookup.ts';
import { newTeam } from '../../../fixtures/world/team.ts';

describe('The line of an event', () => {
  it('has the day, unless that is today', async () => {
    const { owner, at, workspaceId, page } = await newTeam();
    let since = '';
    await owner.workspaces.get(at, { onCursor: (cursor) => void (since = cursor) });
    await page('Plans');
    const [event] = (await owner.changes.list({ ...at, since })).items;
    const names = await EventNames.of(new WorkspaceLookup(owner, workspaceId));
    const time = Date.parse(event!.at!);
    const lineAt = (now: number) => String(eventLine(event!, names, plain, new Date(now)));
    const today = lineAt(time);
    expect(today).to.match(/^\d\d:\d\d:\d\d /);
    for (const days of [-1, 2, 400]) {
      expect(lineAt(time + days * 86_400_000)).to.equal(`${localDay(event!.at!)} ${today}`);
    }
  });
});
