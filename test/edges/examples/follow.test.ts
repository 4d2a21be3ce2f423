import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { serve, type Service } from '../../../adapters/http/index.ts';
import { createEspalier, type Espalier } from '../../../adapters/service/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import type { Session } from '../../../core/index.ts';
import { DIRECT } from '../../fixtures/process/direct.ts';
import { needs, runs } from '../../fixtures/available.ts';
import { startChromium } from '../../fixtures/process/chromium.ts';

const EXAMPLE = fileURLToPath(new URL('../../../examples/follow.js', import.meta.url));
const GUIDE = fileURLToPath(new URL('../../../../docs/live.md', import.meta.url));

describe('Examples of following changes', () => {
  let espalier: Espalier;
  let service: Service;
  let ada: Session;
  let workspaceId: string;
  let token: string;
  let guide: string;

  before(async () => {
    espalier = createEspalier({ store: memoryStore() });
    const { id: userId } = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    ada = espalier.as(userId);
    ({ id: workspaceId } = await ada.workspaces.create({ name: 'Acme', alias: 'acme' }));
    ({ token } = await espalier.tokens.createFor({ userId, name: 'follow' }));
    service = await serve(espalier, { port: 0, corsOrigins: ['*'] });
    guide = await readFile(GUIDE, 'utf8');
  });
  after(async () => {
    await service.close();
    await espalier.close();
  });

  it('follow: the titles of all tasks, through the client', async () => {
    const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Dev' });
    await ada.statuses.create({ workspaceId, boardId, name: 'Todo' });
    await ada.tasks.create({ workspaceId, boardId, title: 'One' });
    const env = { ...process.env, ESPALIER_TOKEN: token };
    const child = spawn(process.execPath, [EXAMPLE, service.url, workspaceId], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const line = async () => (await lines.next()).value as string | undefined;
      expect(await line()).to.equal('1 tasks');
      const { id: taskId } = await ada.tasks.create({ workspaceId, boardId, title: 'Two' });
      expect(await line()).to.equal('task.create: 2 tasks');
      await ada.tasks.delete({ workspaceId, taskId });
      expect(await line()).to.equal('task.delete: 1 tasks');
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });

  it('with curl, as the guide says', async function () {
    needs(this, 'curl', runs('curl', '--version'));
    const command = /^curl -sN .*$/m.exec(guide)![0];
    const env = { ...process.env, ...DIRECT, ESPALIER_TOKEN: token, ESPALIER_URL: service.url };
    const child = spawn('sh', ['-c', `exec ${command}`], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      expect((await lines.next()).value).to.equal('event: ready');
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });

  it('with the code of the guide, which connects again where a stream falls silent', async () => {
    const ready = new TextEncoder().encode('event: ready\nid: x.1.1\ndata: {}\n\n');
    const silent = new ReadableStream({ start: (controller) => controller.enqueue(ready) });
    const answers = [new Response(silent), new Response(null, { status: 401 })];
    const asked: unknown[] = [];
    const fetch = (_: string, { headers }: { headers: Record<string, string> }) => {
      asked.push(headers['last-event-id']);
      return Promise.resolve(answers.shift());
    };
    let isReady = false;
    // The minute is over at once when the stream has begun, as is the pause before the next.
    const setTimeout = (run: () => void) => (isReady ? setImmediate(run) : undefined);
    const code = /```js\n([\s\S]*?)```/.exec(guide)![1]!;
    const follow = runInNewContext(`${code}; follow`, {
      fetch,
      setTimeout,
      clearTimeout: clearImmediate,
      TextDecoderStream,
    }) as (url: string, token: string, workspace: string, take: () => void) => Promise<void>;
    const refused = await follow('', '', 'acme', () => (isReady = true)).catch(({ message }: Error) => message);
    expect(refused).to.include('401');
    expect(asked).to.deep.equal([undefined, 'x.1.1']);
  });

  it('in a browser, with the code of the guide', async function () {
    const browser = await startChromium(this);
    try {
      const page = await browser.newPage();
      const code = /```js\n([\s\S]*?)```/.exec(guide)![1]!;
      const call = `follow(${JSON.stringify(service.url)}, ${JSON.stringify(token)}, 'acme', (type) => window.types.push(type))`;
      await page.evaluate(`(() => { ${code}; window.types = []; void ${call}; })()`);
      await page.waitForFunction(`window.types.includes('ready')`);
      await ada.pages.create({ workspaceId, name: 'Later', type: 'folder' });
      await page.waitForFunction(`window.types.includes('page.create')`);
    } finally {
      await browser.close();
    }
  });
});
