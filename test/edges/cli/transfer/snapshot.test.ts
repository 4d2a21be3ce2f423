import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ChangeEvent } from '../../../../core/index.ts';
import { acmeDirectory } from '../in-process.ts';

interface Line {
  readonly kind: string;
  readonly cursor?: string;
  readonly sha256?: string;
  readonly record?: { readonly title?: string };
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

describe('espalier snapshot', () => {
  it('writes what the caller sees to a file or the standard output, and says where to go on', async () => {
    const here = await acmeDirectory();
    await here.ok(['board', 'create', '--name', 'Dev']);
    await here.ok(['task', 'create', '--board', 'Dev', '--title', 'Write it down']);
    const { stdout, stderr } = await here.ok(['snapshot']);
    const lines = linesOf(stdout);
    expect(lines.map(({ kind }) => kind)).to.deep.equal([
      'head',
      'workspace',
      'member',
      'page',
      'board',
      'task',
      'end',
    ]);
    expect(lines.at(-2)!.record).to.include({ title: 'Write it down' });
    expect(lines.at(-1)!.sha256).to.have.length(64);
    expect(stderr).to.contain(`espalier changes --since ${lines[0]!.cursor!}`);
    await here.ok(['task', 'create', '--board', 'Dev', '--title', 'Second']);
    const since = ['changes', '--since', lines[0]!.cursor!, '--kind', 'task', '--json'];
    const events = (await here.ok(since)).json<ChangeEvent[]>().filter(({ type }) => type !== 'scope');
    expect(events.map(({ type }) => type)).to.deep.equal(['task.create']);
    await here.ok(['snapshot', '--out', 'acme.jsonl']);
    expect(linesOf(await readFile(join(here.path, 'acme.jsonl'), 'utf8'))).to.have.length(8);
    const stopped = await here.run(['snapshot', '--out', 'cut.jsonl'], { stop: AbortSignal.abort() });
    expect(stopped.code).to.equal(130);
    expect((await readdir(here.path)).filter((name) => name.startsWith('cut'))).to.deep.equal([]);
    expect((await here.run(['snapshot', '--workspace', 'nothing'])).code).to.equal(3);
    for (const shape of [
      ['--jq', '.kind'],
      ['--template', '{{ kind }}'],
      ['--fields', 'kind'],
    ]) {
      for (const command of [['snapshot'], ['export', '-']]) {
        expect((await here.run([...command, ...shape])).code, [...command, ...shape].join(' ')).to.equal(2);
      }
    }
    await here.close();
  });
});
