import { expect } from 'chai';
import { acmeDirectory, cliDirectory } from './in-process.ts';

interface Line {
  readonly page: string;
  readonly member: string;
  readonly findings: readonly string[];
}

describe('espalier access audit', () => {
  it('tells what differs, has no effect, and is for owners only', async () => {
    const here = await cliDirectory();
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

  it('shows pages of one folder apart on a narrow terminal', async () => {
    const here = await acmeDirectory();
    await here.ok(['page', 'create', '--type', 'folder', '--name', 'Engineering']);
    for (const name of ['Signals', 'Timetable'])
      await here.ok(['page', 'create', '--type', 'folder', '--name', name, '--parent', 'Engineering']);
    const { stdout } = await here.ok(['access', 'audit'], { terminal: 60 });
    expect(stdout.split('\n').every((line) => line.length <= 60)).to.equal(true);
    expect(stdout)
      .to.match(/^….*\/Signals /m)
      .and.match(/^….*\/Timetable /m);
    await here.close();
  });
});

describe('espalier audit', () => {
  interface Entry {
    readonly action: string;
    readonly requestId: string | null;
  }

  it('gives the trail as a table, JSON Lines and comma-separated values, all of it', async () => {
    const here = await cliDirectory();
    here.env['ESPALIER_STORE'] = 'file:here.db';
    await here.ok(['user', 'create', '--name', 'Ada', '--email', 'ada@example.org']);
    here.env['ESPALIER_AS'] = 'ada@example.org';
    await here.ok(['workspace', 'create', '--name', 'Acme']);
    here.env['ESPALIER_WORKSPACE'] = 'acme';
    for (const name of ['Beta', '=cmd()', 'Quote " and, comma']) await here.ok(['workspace', 'edit', '--name', name]);
    const lines = (await here.ok(['audit', 'list', '--all', '--jsonl'])).stdout.trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as Entry);
    expect(entries.map(({ action }) => action)).to.deep.equal([
      ...Array<string>(3).fill('workspace.update'),
      'member.create',
      'workspace.create',
    ]);
    const { stdout } = await here.ok(['audit', '--all', '--csv']);
    const [headings, first, ...rest] = stdout.split('\r\n');
    expect(headings).to.equal('at,action,userId,recordId,before,after,requestId,workspaceId,id');
    expect(first).to.contain('"{""name"":""Quote \\"" and, comma""}"');
    expect(rest).to.have.length(5);
    for (const cell of stdout.split(/\r\n|,/)) expect(cell).not.to.match(/^[=+@-]/);
    expect((await here.ok(['audit', 'list', '--limit', '1'])).stdout).to.contain('workspace.update');
    await here.close();
  });

  it('gives that of users and tokens to the operator', async () => {
    const here = await cliDirectory();
    here.env['ESPALIER_STORE'] = 'file:here.db';
    await here.ok(['user', 'create', '--name', 'Ada', '--email', 'ada@example.org']);
    await here.ok(['token', 'create', '--name', 'sync'], { env: { ESPALIER_AS: 'ada@example.org' } });
    const entries = (await here.ok(['audit', 'service', '--json'])).json<Entry[]>();
    expect(entries.map(({ action }) => action)).to.deep.equal(['token.create', 'user.create']);
    const refused = await here.run(['audit', 'service'], { env: { ESPALIER_AS: 'ada@example.org' } });
    expect(refused.code).to.equal(4);
    await here.close();
  });
});
