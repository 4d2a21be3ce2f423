import { expect } from 'chai';
import { desk } from './in-process.ts';

interface Line {
  readonly page: string;
  readonly member: string;
  readonly findings: readonly string[];
}

describe('espalier access audit', () => {
  it('tells what differs, has no effect, and is for owners only', async () => {
    const here = await desk();
    here.env['ESPALIER_STORE'] = 'file:here.db';
    for (const name of ['Ada', 'Ben', 'Gus']) {
      await here.ok(['user', 'create', '--name', name, '--email', `${name}@example.org`]);
    }
    here.env['ESPALIER_AS'] = 'ada@example.org';
    await here.ok(['workspace', 'create', '--name', 'Acme']);
    for (const [name, role] of [
      ['Ben', 'member'],
      ['Gus', 'guest'],
    ] as const) {
      const invite = ['invitation', 'create', '--email', `${name}@example.org`, '--role', role, '--json'];
      const { id } = (await here.ok(invite)).json<{ id: string }>();
      await here.ok(['invitation', 'accept', id], { env: { ESPALIER_AS: `${name}@example.org` } });
    }
    for (const name of ['Open', 'Payroll']) await here.ok(['page', 'create', '--type', 'folder', '--name', name]);
    await here.ok(['page', 'create', '--type', 'folder', '--name', '=Sub, "x"', '--parent', 'Open']);
    await here.ok(['access', 'set', 'Payroll', '--default', 'none']);
    await here.ok(['access', 'grant', 'Open', 'Ben', 'edit']);
    await here.ok(['access', 'grant', 'Open', 'Gus', 'comment']);
    const found = (await here.ok(['access', 'audit', '--findings', '--json'])).json<Line[]>();
    const told = found.map(({ page, member, findings }) => `${page} ${member.slice(0, 3)}: ${findings.join(' ')}`);
    expect(told).to.have.members([
      'Open Ben: without-effect',
      'Open Gus: above guest-edits',
      'Open/=Sub, "x" Gus: above guest-edits',
      'Payroll Ada: owners-only',
      'Payroll Ben: below',
    ]);
    const { stdout } = await here.ok(['access', 'audit', '--csv']);
    expect(stdout.split('\r\n')).to.have.length(11);
    expect(stdout).to.include('"Open/=Sub, ""x"""');
    const asBen = await here.ok(['access', 'audit', '--json'], { env: { ESPALIER_AS: 'ben@example.org' } });
    expect(asBen.json<Line[]>().some(({ page }) => page === 'Payroll')).to.equal(false);
    await here.close();
  });
});
