import { lstat, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { NamedEvent } from '../../../cli/changes/event-names.ts';
import { createEspalier, type Espalier } from '../../../adapters/service/index.ts';
import { serve, type Service } from '../../../adapters/http/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { acmeDirectory, cliDirectory, type Around, type CliDirectory } from './in-process.ts';

/** One run that goes on until the test stops it. */
function running(here: CliDirectory, args: readonly string[], around: Around = {}) {
  const stop = new AbortController();
  let stdout = '';
  let look = () => undefined as void;
  const onStdout = (text: string) => {
    stdout += text;
    look();
  };
  const ended = here.run(args, { ...around, stop: stop.signal, onStdout });
  return {
    /** Resolves when something was printed that fits. */
    printed: (pattern: RegExp) =>
      new Promise<string>((resolve, reject) => {
        look = () => (pattern.test(stdout) ? resolve(stdout) : undefined);
        look();
        void ended.then(({ stderr }) => reject(new Error(`it ended: ${stderr}`)));
      }),
    stop: () => {
      stop.abort();
      return ended;
    },
    ended,
  };
}

const ON = {
  'on a store': async () => {
    const here = await acmeDirectory();
    here.env['ESPALIER_WORKSPACE'] = 'acme';
    return { here, close: () => here.close() };
  },
  'on a service': async () => {
    const here = await cliDirectory();
    const espalier: Espalier = createEspalier({ store: memoryStore() });
    const service: Service = await serve(espalier, { port: 0 });
    const { id } = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    const { token } = await espalier.tokens.createFor({ userId: id, name: 'cli' });
    Object.assign(here.env, { ESPALIER_URL: service.url, ESPALIER_TOKEN: token, ESPALIER_WORKSPACE: 'acme' });
    await here.ok(['workspace', 'create', '--name', 'Acme']);
    const close = async () => {
      await service.close();
      await espalier.close();
      await here.close();
    };
    return { here, close };
  },
} as const;

for (const [where, open] of Object.entries(ON)) {
  describe(`espalier watch, ${where}`, () => {
    let here: CliDirectory;
    let close: () => Promise<void>;
    let since: string;
    beforeEach(async () => {
      ({ here, close } = await open());
      await here.ok(['board', 'create', '--name', 'Dev']);
      await here.ok(['task', 'create', '--board', 'Dev', '--title', 'One']);
      since = (await here.ok(['changes'])).stdout.trim();
    });
    afterEach(() => close());

    it('prints a line for each event, and ends with 0 when it is stopped', async () => {
      const watch = running(here, ['watch', '--since', since]);
      await here.ok(['task', 'edit', '#1', '--title', 'Write it down']);
      const line = /^\d\d:\d\d:\d\d {2}Ada {2}task\.update {2}#1 Write it down {2}Dev {2}title$/m;
      await watch.printed(line);
      await here.ok(['page', 'create', '--type', 'folder', '--name', 'Later']);
      await watch.printed(/page\.create {2}Later$/m);
      await here.ok(['task', 'comment', '#1', 'Done']);
      await watch.printed(/Ada {2}comment\.create {2}#1 Write it down {2}Dev$/m);
      const { code, stderr } = await watch.stop();
      expect([code, stderr]).to.satisfy(
        ([ended, said]: [number, string]) => ended === 0 && /--since \S+\n$/.test(said),
      );
    });

    it('prints JSON Lines, of what the filters let pass', async () => {
      const watch = running(here, ['watch', '--since', since, '--kind', 'task', '--board', 'Dev', '--jsonl']);
      await here.ok(['board', 'create', '--name', 'Ops']);
      await here.ok(['task', 'create', '--board', 'Ops', '--title', 'Elsewhere']);
      await here.ok(['task', 'create', '--board', 'Dev', '--title', 'Two']);
      const printed = await watch.printed(/task\.create.*\n/);
      const events = printed
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as NamedEvent);
      const [event, ...others] = events.filter(({ type }) => type !== 'scope');
      expect([event!.type, others]).to.deep.equal(['task.create', []]);
      expect((await watch.stop()).code).to.equal(0);
      const listed = await here.ok(['changes', '--since', since, '--kind', 'task', '--board', 'Dev', '--jsonl']);
      const again = JSON.parse(listed.stdout.trimEnd().split('\n').at(-1)!) as NamedEvent;
      for (const { boardId, pageId, byId, expanded } of [event!, again]) {
        const [board, page, by] = [[boardId, 'Dev'] as const, [pageId, 'Dev'] as const, [byId, 'Ada'] as const].map(
          ([id, name]) => ({ id, name }),
        );
        expect(expanded).to.deep.equal({ board, page, task: null, by });
      }
    });

    it('prints the fields of events that it is asked for, and knows no others', async () => {
      const watch = running(here, ['watch', '--since', since, '--jsonl', '--fields', 'type,id']);
      await here.ok(['task', 'create', '--board', 'Dev', '--title', 'Two']);
      const [line] = (await watch.printed(/task\.create.*\n/)).match(/^.*task\.create.*$/m) ?? [];
      expect(Object.keys(JSON.parse(line!) as object)).to.deep.equal(['type', 'id']);
      expect((await watch.stop()).code).to.equal(0);
      expect((await here.run(['watch', '--jsonl', '--fields', 'typ'])).code).to.equal(2);
    });

    it('names the task of a comment, as it is called now', async () => {
      const watch = running(here, ['watch', '--since', since, '--kind', 'comment', '--jsonl']);
      await here.ok(['task', 'comment', '#1', 'First']);
      const [event] = (await watch.printed(/comment\.create.*\n/))
        .trimEnd()
        .split('\n')
        .flatMap((line) => (line.includes('comment.create') ? [JSON.parse(line) as NamedEvent] : []));
      expect((await watch.stop()).code).to.equal(0);
      expect(event!.expanded.task).to.deep.equal({ id: event!.taskId, num: 1, title: 'One' });
      await here.ok(['task', 'edit', '#1', '--title', 'Two']);
      const listed = await here.ok(['changes', '--since', since, '--kind', 'comment']);
      expect(listed.stdout).to.match(/comment\.create +#1 Two +Dev/);
    });

    it('goes on from the cursor that it keeps in a file, and misses nothing meanwhile', async () => {
      const path = join(here.path, 'dev.cursor');
      await symlink('kept.cursor', path);
      const args = ['watch', '--since', since, '--cursor-file', 'dev.cursor', '--kind', 'task', '--jsonl'];
      const first = running(here, args);
      await here.ok(['task', 'edit', '#1', '--title', 'Two']);
      await first.printed(/task\.update/);
      // The cursor is written when the event has been taken. There may be one before it, of where the watch begins.
      const behind = async () => {
        const cursor = (await readFile(path, 'utf8').catch(() => since)).trim();
        return (await here.ok(['changes', '--since', cursor, '--jsonl'])).stdout;
      };
      while ((await behind()).includes('task.update'));
      expect((await first.stop()).code).to.equal(0);
      expect(((await stat(path)).mode & 0o777).toString(8)).to.equal('600');
      await here.ok(['task', 'create', '--board', 'Dev', '--title', 'Three']);
      const second = running(here, args);
      const printed = await second.printed(/task\.create/);
      expect(printed).not.to.contain('task.update');
      expect((await second.stop()).code).to.equal(0);
      expect((await lstat(path)).isSymbolicLink()).to.equal(true);
      await rm(path);
    });

    it('fails where it cannot begin', async () => {
      expect((await here.run(['watch', '--since', 'x'])).code).to.equal(2);
      expect((await here.run(['watch', '--kind', 'user'])).code).to.equal(2);
      expect((await here.run(['watch', '--board', 'None'])).code).to.equal(3);
      const elsewhere = since.replace(/^./, (one) => (one === 'a' ? 'b' : 'a'));
      const refused = await here.run(['watch', '--since', elsewhere]);
      expect([refused.code, refused.stderr.includes('Watching')]).to.deep.equal([5, false]);
      expect((await here.run(['watch', '--cursor-file', '.'])).code).to.equal(1);
      expect((await here.run(['watch', '--cursor-file', 'nowhere/dev.cursor'])).code).to.equal(1);
      await writeFile(join(here.path, 'other.cursor'), 'x\n');
      const other = await here.run(['watch', '--cursor-file', 'other.cursor', '--since', since]);
      expect(other.code).to.equal(2);
      expect(other.stderr).to.include('other.cursor').and.not.include('--since');
    });

    it('draws a board again in place on a terminal, and lines elsewhere', async () => {
      let resize: (columns: number) => void = () => undefined;
      const around = { terminal: 80, rows: 24, resizes: (by: typeof resize) => void (resize = by) };
      const terminal = running(here, ['board', 'show', 'Dev', '--watch'], around);
      await terminal.printed(/#1 One/);
      const lines = running(here, ['board', 'show', 'Dev', '--watch']);
      await lines.printed(/#1 One/);
      await here.ok(['task', 'create', '--board', 'Dev', '--title', 'Two']);
      const drawn = await terminal.printed(/#2 Two/);
      // The cursor goes home before each picture, and what was below is erased.
      expect(drawn.split('\u001B[H')).to.have.length.at.least(3);
      expect(drawn.endsWith('\u001B[J')).to.equal(true);
      const widthOf = (text: string) => /─+(?!.*─)/s.exec(text)![0].length;
      const before = widthOf(drawn);
      resize(40);
      await terminal.printed(new RegExp(`[^─]─{1,${before - 1}}[^─]`));
      expect(await lines.printed(/task\.create/)).to.match(/^\S+ {2}Ada {2}task\.create {2}#2 Two {2}Dev$/m);
      await here.ok(['board', 'delete', 'Dev', '--yes']);
      expect((await terminal.ended).code).to.equal(3);
      expect((await lines.stop()).code).to.equal(0);
    });
  });
}
