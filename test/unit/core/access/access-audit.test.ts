import { expect } from 'chai';
import type { AuditedAccess } from '../../../../core/access/audit.ts';
import { EspalierError } from '../../../../core/kernel/errors.ts';
import { newTeam, type Colleague } from '../../../fixtures/world/team.ts';
import { outcome } from '../../../fixtures/world/world.ts';

describe('access: audit', () => {
  async function newWorld() {
    const team = await newTeam();
    const names = new Map<string, string>();
    const page = async (name: string, parentId?: string) => {
      const id = await team.page(name, parentId);
      names.set(id, name);
      return id;
    };
    const who = (memberId: string) =>
      (['owner', 'admin', 'member', 'guest'] as const).find((role) => team[role].memberId === memberId)!;
    const told = ({ pageId, memberId, access, from, findings }: AuditedAccess) =>
      `${names.get(pageId)} ${who(memberId)} ${access} ${from}: ${findings.join(' ')}`.trimEnd();
    const audit = async (colleague: Colleague, findings?: boolean) => {
      const input = findings === undefined ? {} : { findings };
      return (await colleague.access.audit({ ...team.at, limit: 500, ...input })).items.map(told);
    };
    return { team, page, audit };
  }

  it('tells where each level comes from, what differs, has no effect, and is for owners only', async () => {
    const { team, page, audit } = await newWorld();
    const open = await page('open');
    const sub = await page('sub', open);
    const payroll = await page('payroll');
    await team.owner.access.changeSettings({ ...team.at, pageId: payroll, inherit: false, defaultAccess: 0 });
    await team.grant(payroll, team.admin, 0);
    await team.grant(open, team.member, 300);
    await team.grant(open, team.guest, 200);
    await team.grant(sub, team.member, 100);
    expect(await audit(team.owner)).to.deep.equal([
      'open owner 400 owner:',
      'open admin 400 role:',
      'open member 300 entry: without-effect',
      'open guest 200 entry: above guest-edits',
      'sub owner 400 owner:',
      'sub admin 400 above:',
      'sub member 100 entry: below',
      'sub guest 200 above: above guest-edits',
      'payroll owner 400 owner: owners-only',
      'payroll admin 0 entry: below without-effect',
      'payroll member 0 default: below',
      'payroll guest 0 default:',
    ]);
    expect(await audit(team.owner, true)).to.deep.equal(
      (await audit(team.owner)).filter((line) => !line.endsWith(':')),
    );
    expect((await audit(team.member)).some((line) => line.startsWith('payroll'))).to.equal(false);
    expect(await audit(team.guest)).to.deep.equal([
      'open guest 200 entry: above guest-edits',
      'sub guest 200 above: above guest-edits',
    ]);
  });

  it('says nothing of the level on a page above that is hidden', async () => {
    const { team, page, audit } = await newWorld();
    const hidden = await page('hidden');
    const shown = await page('shown', hidden);
    await team.grant(hidden, team.member, 0);
    await team.grant(hidden, team.guest, 100);
    await team.grant(shown, team.member, 300);
    await team.grant(shown, team.guest, 100);
    expect(await audit(team.owner)).to.include('shown guest 100 entry: above without-effect');
    expect(await audit(team.member))
      .to.include('shown guest 100 entry: above')
      .and.not.include('hidden guest 100 entry: above');
  });

  it('lists pages below hidden ones last, by id, wherever these stand', async () => {
    const { team, page, audit } = await newWorld();
    const hidden = await page('hidden');
    await page('open');
    await team.owner.access.changeSettings({ ...team.at, pageId: hidden, inherit: false, defaultAccess: 0 });
    const [one, two] = [await page('one', hidden), await page('two', hidden)];
    for (const id of [one, two]) await team.grant(id, team.member, 100);
    const listed = async () => [...new Set((await audit(team.member)).map((line) => line.split(' ')[0]))];
    expect(await listed()).to.deep.equal(['open', 'one', 'two']);
    await team.owner.pages.update({ ...team.at, pageId: hidden, orderIndex: 1 });
    await team.owner.pages.update({ ...team.at, pageId: two, orderIndex: 0 });
    expect(await listed()).to.deep.equal(['open', 'one', 'two']);
  });

  it('goes on behind the cursor in another call, which is of this list alone', async () => {
    const { team, page } = await newWorld();
    const pages = [await page('a'), await page('b')];
    const { items, next } = await team.owner.access.audit({ ...team.at, limit: 3 });
    expect(items.map(({ pageId }) => pageId)).to.deep.equal([pages[0], pages[0], pages[0]]);
    const rest = await team.owner.access.audit({ ...team.at, limit: 5, cursor: next! });
    expect([rest.items.length, rest.next]).to.deep.equal([5, null]);
    const other = team.owner.access.audit({ ...team.at, findings: true, cursor: next! });
    expect(await outcome(other)).to.equal('invalid-input');
    await team.owner.pages.delete({ ...team.at, pageId: pages[0]! });
    expect(await outcome(team.owner.access.audit({ ...team.at, cursor: next! }))).to.equal('invalid-input');
  });

  it('does not go on behind a page that is hidden since, as behind one that is gone', async () => {
    const { team, page } = await newWorld();
    const [first] = [await page('a'), await page('b')];
    const { next } = await team.member.access.audit({ ...team.at, limit: 3 });
    const goOn = () => team.member.access.audit({ ...team.at, cursor: next! });
    await team.grant(first, team.member, 0);
    const hidden = await goOn().catch((error: unknown) => error);
    await team.owner.pages.delete({ ...team.at, pageId: first });
    const gone = await goOn().catch((error: unknown) => error);
    expect(hidden).to.be.an.instanceof(EspalierError);
    expect(hidden).to.deep.include({ code: 'invalid-input', errors: (gone as EspalierError).errors });
  });

  it('looks at a bounded number of entries for one part, however little stands out', async function () {
    this.timeout(60_000);
    const { team, page } = await newWorld();
    for (let i = 0; i < 1_260; i++) await page(`page ${i}`);
    const last = await page('last');
    await team.grant(last, team.guest, 200);
    const first = await team.owner.access.audit({ ...team.at, findings: true });
    expect([first.items.length, first.next === null]).to.deep.equal([0, false]);
    const second = await team.owner.access.audit({ ...team.at, findings: true, cursor: first.next! });
    expect(second.items.map(({ pageId }) => pageId)).to.deep.equal([last]);
    expect(second.next).to.equal(null);
  });
});
