import { expect } from 'chai';
import { createEngine } from '../../../../core/engine.ts';
import type { Session } from '../../../../core/session.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { DAY, newWorld, personOf } from '../../../fixtures/world/world.ts';

describe('the order of what a reader of changes is told', () => {
  /** Two pages that the member sees, below one that they do not see, and one beside that. */
  async function pagesBelowHidden() {
    const team = await newTeam(newWorld(undefined, 0, undefined, DAY), 0);
    const { owner, member, at } = team;
    const hidden = await team.page('Hidden');
    const [one, other, open] = [
      await team.page('One', hidden),
      await team.page('Other', hidden),
      await team.page('Open'),
    ];
    for (const id of [one, other, open]) await team.grant(id, member, 100);
    const put = (pageId: string, orderIndex: number) => owner.pages.update({ ...at, pageId, orderIndex });
    const cursor = async () => {
      let last = '';
      await member.workspaces.get(at, { onCursor: (now) => void (last = now) });
      return last;
    };
    const eventsOf = async (reader: Session, since: string) => (await reader.changes.list({ ...at, since })).items;
    return { team, hidden, one, other, open, put, cursor, eventsOf };
  }

  it('in a scope is that of the list of pages, wherever hidden ones stand', async () => {
    const { team, hidden, one, other, open, put, cursor, eventsOf } = await pagesBelowHidden();
    const since = await cursor();
    for (const orderIndex of [1, 0]) {
      await put(hidden, orderIndex);
      await put(other, orderIndex);
      // One in whose process nothing is known of the structures of before.
      const startedAnew = personOf(createEngine(team.world.ports), team.member.userId, team.member.name);
      const [scope] = await eventsOf(startedAnew, since);
      expect(scope).to.deep.include({ type: 'scope', pageIds: [open, one, other] });
    }
  });

  it('in events of pages tells nothing of where those below a hidden one stand', async () => {
    const { team, hidden, one, other, put, cursor, eventsOf } = await pagesBelowHidden();
    const { owner, member, at } = team;
    for (const orderIndex of [1, 0]) {
      await put(other, orderIndex);
      const since = await cursor();
      await owner.pages.delete({ ...at, pageId: hidden });
      const gone = await eventsOf(member, since);
      const between = await cursor();
      await owner.trash.restore({ ...at, trashId: hidden });
      const back = await eventsOf(member, between);
      const told = [...gone, ...back].map(({ type, id }) => [type, id]);
      expect(told).to.deep.equal([
        ['page.delete', one],
        ['page.delete', other],
        ['page.show', one],
        ['page.show', other],
      ]);
    }
  });
});
