import { expect } from 'chai';
import type { ChangeEvent } from '../../../core/index.ts';
import { acmeDirectory } from './in-process.ts';

describe('espalier changes', () => {
  it('prints the cursor of now, and what has changed behind one', async () => {
    const here = await acmeDirectory();
    const since = (await here.ok(['changes'])).stdout.trim();
    expect((await here.ok(['changes', '--json'])).json()).to.deep.equal({ cursor: since });
    for (const name of ['Dev', 'Ops']) await here.ok(['board', 'create', '--name', name]);
    await here.ok(['task', 'create', '--board', 'Dev', '--title', 'Write it down']);
    const events = async (...given: string[]) =>
      (await here.ok(['changes', '--since', since, '--json', ...given])).json<ChangeEvent[]>();
    const types = (of: readonly ChangeEvent[]) => of.map(({ type }) => type).filter((type) => type !== 'scope');
    expect(types(await events())).to.deep.equal(['board.create', 'board.create', 'task.create']);
    expect(types(await events('--kind', 'task'))).to.deep.equal(['task.create']);
    expect(types(await events('--board', 'Ops'))).to.deep.equal(['board.create']);
    const [task] = (await events('--kind', 'task', '--include-records')).filter(({ type }) => type !== 'scope');
    expect(task!.record).to.include({ title: 'Write it down' });
    expect((await here.ok(['changes', '--since', since])).stdout).to.match(/task\.create +#1 Write it down +Dev/);
    const shown = await here.ok(['changes', '--since', since, '--limit', '2']);
    expect(shown.stdout)
      .to.match(/^WHEN +WHO +WHAT +RECORD +ON/m)
      .and.contain('board.create');
    const next = /--since (\S+)/.exec(shown.stderr)![1]!;
    expect((await here.ok(['changes', '--since', next])).stderr).to.contain('For later changes: use --since ');
    // After all changes: in the middle of them, a process without the earlier structure gets a `scope` event.
    const now = (await here.ok(['changes'])).stdout.trim();
    const waiting = events('--since', now, '--wait', '60', '--kind', 'comment');
    await here.ok(['comment', 'add', '1', 'Soon']);
    expect(types(await waiting)).to.deep.equal(['comment.create']);
    const stop = AbortSignal.abort();
    const later = (await here.ok(['changes'])).stdout.trim();
    expect((await here.run(['changes', '--since', later, '--wait', '60'], { stop })).code).to.equal(130);
    for (const wait of ['61', '-1', 'x']) {
      expect((await here.run(['changes', '--since', next, `--wait=${wait}`])).code).to.equal(2);
    }
    expect((await here.run(['changes', '--since', 'x'])).code).to.equal(2);
    expect((await here.run(['changes', '--since', since, '--kind', 'user'])).code).to.equal(2);
    const elsewhere = since.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'));
    expect((await here.run(['changes', '--since', elsewhere])).code).to.equal(5);
    await here.close();
  });
});
