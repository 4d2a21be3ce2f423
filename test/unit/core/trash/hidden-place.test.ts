import { expect } from 'chai';
import { newTeam } from '../../../fixtures/world/team.ts';
import { DAY, newWorld, outcome } from '../../../fixtures/world/world.ts';

describe('what is restored below a hidden page', () => {
  it('goes there unless a place is named, which tells not by its id alone that it stood there', async () => {
    const team = await newTeam(newWorld(undefined, 0, undefined, DAY), 0);
    const { owner, member, at } = team;
    const [hidden, other] = [await team.page('Hidden'), await team.page('Other')];
    const trashId = await team.page('Page', hidden);
    await team.grant(trashId, member, 400);
    await owner.pages.delete({ ...at, pageId: trashId });
    const restoredTo = (parentId: string) => outcome(member.trash.restore({ ...at, trashId, parentId }));
    for (const parentId of [other, hidden]) expect(await restoredTo(parentId)).to.equal('unusable-reference');
    expect(await member.trash.restore({ ...at, trashId })).to.include({ parentId: null, parentHidden: true });
    expect((await owner.pages.get({ ...at, pageId: trashId })).parentId).to.equal(hidden);
  });
});
