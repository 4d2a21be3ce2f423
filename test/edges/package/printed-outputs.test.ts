import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { sampleService, type SampleService } from '../../fixtures/world/sample.ts';
import { MAIN } from '../cli/child.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const run = promisify(execFile);

/** The blocks of code of a page, in one language. */
async function blocksOf(page: string, language: string): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, 'docs', page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block]) => block!);
}

/** Matches what a page shows, whatever the ids, cursors and sequence numbers are; `...` is what the page leaves out. */
function like(shown: string): RegExp {
  const pattern = shown
    .trimEnd()
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/, \\\.\\\.\\\./g, ',.*')
    .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '[\\da-f-]{36}')
    .replace(/"seq":\d+/g, '"seq":\\d+')
    .replace(/[\w-]{12}\\\.\w+\\\.\w+/g, '[\\w.-]+');
  return new RegExp(`^${pattern}$`);
}

describe('docs/http.md', () => {
  it('shows what a round with JSON Web Tokens prints', async function () {
    this.timeout(60_000);
    const [block] = (await blocksOf('http.md', 'console')).filter((one) => one.includes('sign.mjs'));
    const commands = block!.split(/^\$ /m).slice(1);
    const [secret, start, file, sign, ask, create] = commands;
    expect(commands).to.have.length(6);
    const path = await mkdtemp(join(tmpdir(), 'espalier-printed-'));
    try {
      await symlink(join(ROOT, 'node_modules'), join(path, 'node_modules'));
      await writeFile(join(path, 'espalier'), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
      await chmod(join(path, 'espalier'), 0o755);
      await writeFile(join(path, 'sign.mjs'), file!.replace(/^cat sign\.mjs\n/, ''));
      const bash = async (script: string) => (await run('bash', ['-ec', script], { cwd: path, env })).stdout.trimEnd();
      const env: NodeJS.ProcessEnv = { PATH: `${path}${delimiter}${process.env['PATH']}`, HOME: path };
      await bash(secret!);
      const child = spawn('bash', ['-c', `exec ${start!.trim()} --port 0`], { cwd: path, env });
      const closed = once(child, 'close');
      try {
        const url = await new Promise<string>((resolve, reject) => {
          child.once('close', () => reject(new Error('The service ended.')));
          child.stdout.on('data', (data: Buffer) => {
            const [, listens] = /listens on (\S+)/.exec(data.toString()) ?? [];
            if (listens !== undefined) resolve(listens);
          });
        });
        const here = (command: string) => `${sign!}${command.replaceAll('http://127.0.0.1:4800', url)}`;
        const [line, shown] = ask!.split('\n');
        expect(await bash(here(line!))).to.match(like(shown!));
        expect(await bash(here(create!))).to.match(/^name +Acme$/m);
      } finally {
        child.kill();
        await closed;
      }
    } finally {
      await rm(path, { recursive: true, force: true });
    }
  });
});

describe('docs/live.md', () => {
  let service: SampleService;
  let headers: Record<string, string>;
  before(async () => {
    service = await sampleService();
    headers = { authorization: `Bearer ${service.token}` };
  });
  after(() => service.close());

  const get = (path: string, more = {}) =>
    fetch(`${service.url}/api/workspace/acme/${path}`, { headers: { ...headers, ...more } });
  /** What comments of a block of shell show. */
  const shownIn = async (what: string) => {
    const block = (await blocksOf('live.md', 'sh')).find((one) => one.includes(what))!;
    const lines = block.split('\n').filter((line) => line.startsWith('#'));
    return lines.map((line) => line.replace(/^# ?/, ''));
  };

  it('shows the cursor that every answer carries', async () => {
    const [shown] = await shownIn('grep -i espalier-cursor');
    const { headers: given } = await get('page');
    expect(`espalier-cursor: ${given.get('espalier-cursor')}`).to.match(like(shown!));
  });

  it('shows what a stream of events sends', async () => {
    const shown = (await shownIn('text/event-stream')).join('\n').trimEnd().split('\n\n');
    const stream = await get('changes', { accept: 'text/event-stream' });
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    const taskId = '01a202c6-f124-74ed-a553-b099594a4927';
    let sent = '';
    while (sent.split('\n\n').length <= shown.length) {
      sent += (await reader.read()).value!;
      if (!sent.includes('event: ready') || sent.includes('task.update')) continue;
      const body = JSON.stringify({ description: 'For a newcomer.' });
      const type = { 'content-type': 'application/json' };
      const url = `${service.url}/api/workspace/acme/task/${taskId}`;
      await fetch(url, { method: 'PUT', headers: { ...headers, ...type }, body });
    }
    await reader.cancel();
    expect(shown).to.have.length(2);
    for (const [i, block] of shown.entries()) expect(sent.split('\n\n')[i]).to.match(like(block));
  });

  it('shows lines of a snapshot', async () => {
    const [block] = await blocksOf('live.md', 'jsonl');
    const shown = block!
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; record?: object });
    const lines = (await (await get('snapshot')).text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; record?: { id: string } });
    expect(shown.map(({ kind }) => kind)).to.deep.equal(['head', 'workspace', 'task', 'end']);
    for (const one of shown) {
      const { kind, record } = one;
      const line = lines.find((found) => found.kind === kind && found.record?.id === (record as { id: string })?.id)!;
      expect(Object.keys(line), kind).to.deep.equal(Object.keys(one));
      if (record !== undefined) expect(line.record).to.include(record);
    }
  });
});
