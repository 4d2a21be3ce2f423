import { expect } from 'chai';
import { BOARD_FILE } from '../../unit/trello/fixture.ts';
import { type Target, ADA, BEN, onStore, onService } from './everyday-target.ts';

for (const [where, open] of [
  ['a store', onStore],
  ['a running service', onService],
] as const) {
  describe(`Everyday work on ${where}`, () => {
    let on: Target;
    before(async () => {
      on = await open();
      await on.ok(['workspace', 'create', '--name', 'Acme', '--description', 'Supplies']);
      await on.ok(['page', 'create', '--type', 'folder', '--name', 'Engineering']);
      await on.ok(['page', 'create', '--type', 'board', '--no-columns', '--name', 'Dev', '--parent', 'Engineering']);
      for (const args of [['Todo'], ['Doing'], ['Done', '--done']]) {
        await on.ok(['status', 'create', '--board', 'Dev', '--name', ...args]);
      }
      await on.ok(['tag', 'create', '-b', 'Dev', '--name', 'bug', '--color', 'crimson']);
    });
    after(() => on.close());

    it('workspaces are found by alias, name and id, and missing ones end with 3', async () => {
      const { id } = (await on.ok(['workspace', 'show', 'acme', '--json'])).json<{ id: string }>();
      for (const ref of ['Acme', 'ACME', id]) {
        expect((await on.ok(['workspace', 'show', ref, '--json'])).json()).to.include({ id, description: 'Supplies' });
      }
      expect((await on.run(['workspace', 'show', 'nosuch'])).code).to.equal(3);
      expect((await on.run(['board', 'list', '-w', 'nosuch'])).code).to.equal(3);
      await on.ok(['workspace', 'edit', 'acme', '--default-access', 'comment']);
      await on.ok(['workspace', 'edit', 'acme', '--default-access', 'edit']);
      expect((await on.run(['workspace', 'edit', 'acme', '--default-access', 'much'])).code).to.equal(2);
    });

    it('links are told by the names of both tasks, also as they are removed', async () => {
      for (const title of ['Hinge', 'Door']) await on.ok(['task', 'create', '-b', 'Dev', '--title', title]);
      const linked = await on.ok(['task', 'link', 'Hinge', '--blocks', 'Door']);
      expect(linked.stdout).to.match(/#\d+ Hinge\nblocks +none -> #\d+ Door/);
      const removed = await on.ok(['task', 'unlink', 'Hinge', '--blocks', 'Door']);
      expect(removed.stdout).to.match(/#\d+ Hinge\nblocks +#\d+ Door -> none/);
      await on.ok(['task', 'delete', 'Hinge', 'Door', '--yes']);
    });

    it('somebody is invited, joins, is promoted, and removed', async () => {
      const args = ['invitation', 'create', '--email', BEN, '--grant', 'Engineering/Dev=comment', '--json'];
      const { id } = (await on.ok(args)).json<{ id: string }>();
      expect((await on.asBen(['invitation', 'read', id, '--json'])).json()).to.include({ workspaceName: 'Acme' });
      expect((await on.asBen(['invitation', 'accept', id])).code).to.equal(0);
      expect((await on.asBen(['invitation', 'accept', id])).code).to.equal(5);
      expect((await on.asBen(['status', 'create', '-b', 'Dev', '--name', 'X'])).code).to.equal(4);
      await on.ok(['member', 'edit', BEN, '--position', 'Builder', '--role', 'admin']);
      const members = (await on.ok(['member', 'list', '--json'])).json<{ name: string; role: number }[]>();
      expect(members.map(({ name, role }) => `${name} ${role}`)).to.deep.equal(['Ada 40', 'Ben 30']);
      const explained = await on.ok(['access', 'explain', 'Dev', '--member', 'Ben']);
      expect(explained.stdout).to.include('Dev: set for this member -> Comment Only');
      await on.ok(['access', 'grant', 'Dev', BEN, 'full']);
      await on.ok(['access', 'revoke', 'Dev', BEN]);
      expect((await on.run(['access', 'revoke', 'Dev', BEN])).code).to.equal(3);
      const other = (await on.ok(['invitation', 'create', '--json'])).json<{ id: string }>().id;
      await on.ok(['invitation', 'revoke', other]);
      expect((await on.ok(['invitation', 'show', other, '--json'])).json()).to.include({ status: 'revoked' });
      expect((await on.ok(['invitation', 'list', '--json'])).json()).to.have.length(2);
      expect((await on.run(['member', 'remove', 'Ben'])).code).to.equal(2);
      await on.ok(['member', 'remove', 'Ben', '--yes']);
      expect((await on.ok(['audit', 'list', '--limit', '1', '--json'])).json()).to.have.length(1);
    });

    it('tasks are made, listed, changed, moved, tagged, assigned, commented and deleted', async () => {
      const made = [
        'task',
        'create',
        '-b',
        'Dev',
        '-t',
        'Write the spec',
        '--tag',
        'bug',
        '--end',
        '2026-03-31',
        '--json',
      ];
      const first = (await on.ok(made)).json<{ id: string; num: number }>();
      const ref = `#${first.num}`;
      await on.ok(['task', 'edit', 'Write the spec', '--priority', 'high', '--assignee', 'me', '--description', '-'], {
        stdin: 'Long text\n',
      });
      await on.ok(['task', 'move', ref, '--status', 'done']);
      const task = (await on.ok(['task', 'show', ref, '--json'])).json<Record<string, unknown>>();
      expect(task).to.include({ complete: true, priority: 300, description: 'Long text\n', dateEnd: '2026-03-31' });
      const list = async (...args: string[]) =>
        (await on.ok(['task', 'list', '--json', '--fields', 'num', ...args])).json<{ num: number }[]>().length;
      expect(await list('--assignee', 'me', '-b', 'Dev', '-s', 'Done', '--tag', 'bug', '--complete')).to.equal(1);
      expect(await list('--num', `99,${ref}`)).to.equal(1);
      expect(await list('--exclude-num', String(first.num))).to.equal(0);
      expect((await on.run(['task', 'list', '--num', 'x'])).code).to.equal(2);
      expect(await list('--no-complete')).to.equal(0);
      expect(await list('--exclude-assignee', 'none', '-q', 'SPEC', '--sort', '-priority,title')).to.equal(1);
      expect(await list('-s', 'Done')).to.equal(1);
      expect((await on.run(['task', 'list', '-s', 'Nowhere'])).code).to.equal(3);
      expect((await on.run(['task', 'list', '--sort', 'colour'])).code).to.equal(2);
      expect((await on.run(['task', 'edit', ref, '--end', '2026-02-30'])).code).to.equal(2);
      await on.ok(['task', 'tag', ref, 'bug', '--remove']);
      await on.ok(['task', 'tag', ref, 'BUG']);
      await on.ok(['task', 'assign', ref, ADA, '--remove']);
      const said = (await on.ok(['comment', 'create', ref, 'Looks good', '--json'])).json<{ id: string }>();
      await on.ok(['comment', 'edit', ref, said.id, 'Looks very good']);
      expect((await on.ok(['task', 'show', ref])).stdout)
        .to.include('Looks very good')
        .and.include('bug');
      await on.ok(['comment', 'delete', ref, said.id, '--yes']);
      await on.ok(['task', 'delete', ref, '--yes']);
      expect((await on.run(['task', 'show', ref])).code).to.equal(3);
    });

    it('many tasks come from lines of JSON, with a report for each line', async () => {
      const lines = ['{"title":"one","status":"Doing","tags":["bug"]}', '{"title":""}', '', 'nope', '{"title":"two"}'];
      const ran = await on.run(['task', 'create', '-b', 'Dev', '--from', '-', '--json'], { stdin: lines.join('\n') });
      expect(ran.code).to.equal(1);
      const reports = ran.json<{ line: number; error: { code: string } | null }[]>();
      expect(reports.map(({ line, error }) => `${line} ${error?.code ?? 'ok'}`)).to.deep.equal([
        '1 ok',
        '2 invalid-input',
        '4 invalid-input',
        '5 ok',
      ]);
      const atomic = ['task', 'create', '-b', 'Dev', '--from', '-', '--atomic'];
      const refused = await on.run(atomic, { stdin: '{"title":"three"}\n{"title":"four","priority":-1}' });
      expect(refused.code).to.equal(2);
      expect(refused.stderr).to.include('Line 2');
      const titles = (await on.ok(['task', 'list', '--json'])).json<{ title: string }[]>().map(({ title }) => title);
      expect(titles).to.include.members(['one', 'two']).and.not.include('three');
      const paged = await on.ok(['task', 'list', '--limit', '1', '--jsonl']);
      const cursor = /--cursor (\S+)/.exec(paged.stderr)![1]!;
      const rest = await on.ok(['task', 'list', '--cursor', cursor, '--jsonl', '--fields', 'title']);
      expect(rest.stdout).to.equal('{"title":"two"}\n');
      expect((await on.ok(['task', 'list', '--all', '--json'])).json()).to.have.length(2);
    });

    it('pages are moved, renamed and deleted; ambiguous names are refused with the candidates', async () => {
      await on.ok(['page', 'create', '--type', 'folder', '--name', 'Old']);
      await on.ok(['page', 'create', '--type', 'board', '--no-columns', '--name', 'Dev', '--parent', 'Old']);
      const ambiguous = await on.run(['board', 'show', 'Dev']);
      expect(ambiguous.code).to.equal(2);
      expect(ambiguous.stderr).to.include('Engineering/Dev').and.include('Old/Dev');
      const preview = await on.ok(['access', 'preview', 'Old/Dev', '--top', '--json']);
      expect(preview.json()).to.deep.equal({ changes: [] });
      expect((await on.ok(['access', 'preview', 'Old/Dev', '--top'])).stderr).to.include('changes nothing');
      expect((await on.ok(['access', 'members', 'Old/Dev'])).stdout).to.match(/^Access to Old\/Dev\n.*owner/s);
      await on.ok(['page', 'edit', 'Old/Dev', '--name', 'Attic']);
      await on.ok(['page', 'move', 'Attic', '--top', '--index', '0']);
      expect((await on.run(['page', 'move', 'Old', '--to', 'Old'])).code).to.equal(5);
      await on.ok(['access', 'set', 'Old', '--default', 'none']);
      expect((await on.ok(['access', 'show', 'Old', '--json'])).json()).to.include({
        inherit: false,
        defaultAccess: 0,
      });
      await on.ok(['access', 'set', 'Old', '--inherit']);
      await on.ok(['board', 'edit', 'Attic', '--description', 'Things of the past']);
      await on.ok(['board', 'delete', 'Attic', '--yes']);
      await on.ok(['page', 'delete', 'Old', '--yes']);
      expect((await on.ok(['page', 'list', '--json'])).json()).to.have.length(2);
    });

    it('draws the tree and the board as wide as the terminal', async () => {
      const tree = await on.ok(['page', 'tree'], { terminal: 80 });
      expect(tree.stdout).to.equal('▸ Engineering  Full Access\n└─ ▦ Dev       Full Access\n');
      const narrow = await on.ok(['task', 'list'], { terminal: 60 });
      expect(narrow.stdout.split('\n')[0]).to.equal('NUM  TITLE  STATUS  BOARD  TAGS  CHANGED');
      const all = 'NUM  TITLE  STATUS  BOARD  PRIORITY  ASSIGNED  TAGS  ENDS  CHANGED';
      expect((await on.ok(['task', 'list'])).stdout.split('\n')[0]).to.equal(all);
      expect((await on.ok(['task', 'list', '--wide'])).stdout.split('\n')[0]).to.equal(`${all}  ID`);
      for (const terminal of [40, 80, 200]) {
        const { stdout } = await on.ok(['board', 'show', 'Dev'], { terminal });
        expect(stdout).to.include('Todo 1').and.include('Doing 1').and.include('Done 0');
        for (const line of stdout.split('\n')) expect(line.length).to.be.at.most(terminal);
      }
    });

    it('statuses and tags are changed and deleted', async () => {
      await on.ok(['status', 'edit', 'Doing', '-b', 'Dev', '--name', 'In work', '--done']);
      expect((await on.run(['status', 'delete', 'In work', '-b', 'Dev', '--yes'])).code).to.equal(5);
      await on.ok(['status', 'delete', 'In work', '-b', 'Dev', '--move-to', 'Todo', '--yes']);
      const statuses = (await on.ok(['status', 'list', '-b', 'Dev', '--json'])).json<
        { name: string; taskCount: number }[]
      >();
      expect(statuses.map(({ name, taskCount }) => `${name} ${taskCount}`)).to.deep.equal(['Todo 2', 'Done 0']);
      await on.ok(['tag', 'edit', 'bug', '-b', 'Dev', '--name', 'defect', '--color', '#DC143C']);
      expect((await on.ok(['tag', 'list', '-b', 'Dev', '--json', '--fields', 'color'])).json()).to.deep.equal([
        { color: '#dc143c' },
      ]);
      await on.ok(['tag', 'delete', 'defect', '-b', 'Dev', '--yes']);
    });

    it('users, profile and tokens', async () => {
      await on.ok(['user', 'create', '--name', 'Cleo', '--email', 'cleo@example.org']);
      expect((await on.run(['user', 'create', '--name', 'C', '--email', 'CLEO@example.org'])).code).to.equal(5);
      await on.ok(['user', 'edit', 'cleo@example.org', '--disabled', '--phone', '1']);
      expect((await on.ok(['user', 'show', 'cleo@example.org', '--json'])).json()).to.include({ disabled: true });
      expect((await on.ok(['user', 'list', '--all', '--json'])).json()).to.have.length(3);
      expect((await on.asBen(['user', 'list'])).code).to.equal(4);
      expect((await on.ok(['me', 'edit', '--phone', '2', '--json'])).json()).to.include({ phone: '2', email: ADA });
      await on.ok(['me', 'show']);
      const token = (await on.ok(['token', 'create', '--name', 'ci', '--expires', '2w', '--json'])).json<{
        id: string;
      }>();
      await on.ok(['token', 'create', '--name', 'ben', '--user', BEN]);
      await on.ok(['token', 'revoke', token.id, '--yes']);
      const [old, next] = [
        (await on.ok(['token', 'create', '--name', 'nightly', '--json'])).json<{ id: string; token: string }>(),
        (await on.ok(['token', 'create', '--name', 'Nightly', '--json'])).json<{ id: string; token: string }>(),
      ];
      for (const word of [old.token, ` ${old.token}\n`]) {
        const pasted = await on.run(['token', 'revoke', word, '--yes']);
        expect([pasted.code, pasted.stderr.includes(old.token)]).to.deep.equal([2, false]);
      }
      expect((await on.run(['token', 'revoke', 'weekly', '--yes'])).code).to.equal(3);
      expect((await on.run(['token', 'revoke', 'NIGHTLY', '--yes'])).code).to.equal(2);
      await on.ok(['token', 'revoke', 'nightly', '--yes']);
      const left = (await on.ok(['token', 'list', '--json'])).json<{ id: string }[]>().map(({ id }) => id);
      expect(left).to.include(next.id).and.not.include(old.id);
    });

    it('a Trello board comes in, once', async () => {
      const trello = ['import', 'trello', BOARD_FILE, '-w', 'trains', '--json'];
      const first = (await on.ok(trello)).json<{ created: { tasks: number } }>();
      expect(first.created.tasks).to.equal(7);
      const second = (await on.ok([...trello, '--map', `ada=${ADA}`])).json<{ created: { tasks: number } }>();
      expect(second.created.tasks).to.equal(0);
      await on.ok(['workspace', 'delete', 'trains', '--yes']);
    });

    it('completes live names', async () => {
      const complete = async (...words: string[]) =>
        (await on.ok(['complete', '--', ...words])).stdout
          .trim()
          .split('\n')
          .map((line) => line.split('\t')[0]!);
      expect(await complete('sta')).to.deep.equal(['status']);
      expect(await complete('board', 'sh')).to.deep.equal(['show']);
      expect(await complete('board', 'show', '')).to.deep.equal(['Dev']);
      expect(await complete('workspace', 'show', 'a')).to.deep.equal(['acme']);
      expect(await complete('task', 'create', '--board', 'Dev', '--status', 't')).to.deep.equal(['Todo']);
      expect(await complete('task', 'list', '--ov')).to.deep.equal(['--overdue']);
      expect(await complete('task', 'list', '--exclude-board', '')).to.deep.equal(['Dev']);
      expect(await complete('help', 'task', 'mo')).to.deep.equal(['move']);
      expect(await complete('task', 'ls', '--sort', 'num,-pri')).to.deep.equal(['num,-priority']);
      expect(await complete('task', 'list', '--sort=-pri')).to.deep.equal(['--sort=-priority']);
      expect(await complete('task', 'list', '--json', '--fields', 'num,ti')).to.deep.equal(['num,title']);
      expect(await complete('config', 'get', 'logL')).to.deep.equal(['logLevel']);
      expect(await complete('board', 'show', 'Engineering/')).to.deep.equal(['Engineering/Dev']);
      expect(await complete('invitation', 'create', '--grant', 'De')).to.deep.equal(['Dev=']);
      expect(await complete('invitation', 'create', '--grant', 'Dev=co')).to.deep.equal(['Dev=comment']);
      const tasks = (await on.ok(['task', 'list', '--json'])).json<{ num: number; title: string }[]>();
      expect(await complete('task', 'show', '')).to.have.members(tasks.map(({ num }) => String(num)));
      expect(await complete('task', 'move', String(tasks[0]!.num), '#')).to.include(`#${tasks[1]!.num}`);
      expect(await complete('task', 'show', tasks[0]!.title.slice(0, 2))).to.include(tasks[0]!.title);
      expect(await complete('task', 'move', String(tasks[0]!.num), '--status', 't')).to.deep.equal(['Todo']);
      expect(await complete('nonsense', '')).to.include('');
    });
  });
}
