import { assert, expect } from 'chai';
import { newTeam } from '../../../fixtures/world/team.ts';
import { outcome } from '../../../fixtures/world/world.ts';

describe('reading the audit trail', () => {
  it('is for role Admin and above; that of the service for its administrators', async () => {
    const { owner, admin, member, guest, outsider, at, world } = await newTeam();
    const results = [];
    for (const who of [owner, admin, member, guest, outsider]) results.push(await outcome(who.audit.list(at)));
    expect(results).to.deep.equal(['ok', 'ok', 'forbidden', 'forbidden', 'not-found']);
    for (const who of [owner, admin]) expect(await outcome(who.audit.service({}))).to.equal('forbidden');
    await world.operator.users.update({ userId: outsider.userId, administrator: true });
    const { items } = await outsider.audit.service({ limit: 1 });
    expect([items[0]?.action, items[0]?.recordId]).to.deep.equal(['user.update', outsider.userId]);
    expect(items[0]?.after).to.deep.equal({ administrator: true });
    expect(await outcome(outsider.audit.list(at))).to.equal('not-found');
  });

  it('leaves out what is done on pages that the reader may not see, and does not name them', async () => {
    const { owner, admin, member, at, page, grant } = await newTeam();
    const secret = await page('Secret');
    const open = await page('Open');
    await grant(secret, admin, 0);
    await grant(secret, member, 300);
    await owner.pages.update({ ...at, pageId: open, parentId: secret });
    await grant(open, admin, 100);
    const gone = await page('Gone');
    await grant(gone, member, 100);
    await owner.pages.delete({ ...at, pageId: gone });
    const all = (await owner.audit.list(at)).items;
    const seen = (await admin.audit.list(at)).items;
    assert(JSON.stringify(all).includes(secret) && JSON.stringify(all).includes(gone));
    assert(!JSON.stringify(seen).includes(secret) && !JSON.stringify(seen).includes(gone));
    const move = seen.find(({ action }) => action === 'page.move');
    expect([move?.recordId, move?.before, move?.after]).to.deep.equal([open, { parentId: null }, { parentId: null }]);
    assert(seen.length < all.length);
  });

  it('leaves out invitations to a role above that of the reader, and pages of theirs that are hidden', async () => {
    const { owner, admin, at, page, grant } = await newTeam();
    const secret = await page('Secret');
    await grant(secret, admin, 0);
    const above = await owner.invitations.create({ ...at, role: 40 });
    const equal = await owner.invitations.create({ ...at, role: 20, pages: [{ pageId: secret, access: 100 }] });
    await owner.invitations.revoke({ ...at, invitationId: above.id });
    const seen = (await admin.audit.list(at)).items;
    assert(!JSON.stringify(seen).includes(above.id));
    const invited = seen.find(({ recordId }) => recordId === equal.id);
    expect(invited?.after?.['pages']).to.deep.equal([]);
  });

  it('goes on behind a cursor without gap or double, also where much is left out', async () => {
    const { owner, admin, member, at, page, grant } = await newTeam();
    const secret = await page('Secret');
    const open = await page('Open');
    await grant(secret, admin, 0);
    for (let i = 0; i < 30; i += 1) await grant(i % 5 === 0 ? open : secret, member, i % 2 === 0 ? 100 : 200);
    const whole = (await admin.audit.list({ ...at, limit: 500 })).items;
    const parts = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const part = await admin.audit.list({ ...at, limit: 2, ...(cursor !== undefined && { cursor }) });
      parts.push(...part.items);
      cursor = part.next;
    }
    expect(parts).to.deep.equal(whole);
    assert(whole.length > 5 && whole.length < (await owner.audit.list({ ...at, limit: 500 })).items.length);
  });
});
