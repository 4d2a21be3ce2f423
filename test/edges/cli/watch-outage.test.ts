import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { serve, type Service } from '../../../adapters/http/index.ts';
import { createEspalier, type Espalier } from '../../../adapters/service/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import type { Session } from '../../../core/session.ts';
import { cliDirectory, type CliDirectory } from './in-process.ts';

/** More than the client asks for one record before it gives up. */
const ATTEMPTS = 5;

describe('Commands that follow a service', () => {
  let here: CliDirectory;
  let espalier: Espalier;
  let service: Service;
  let proxy: Server;
  let ada: Session;
  let workspaceId: string;
  let boardId: string;
  /** How many requests for a single record are refused from now on. */
  let refused = 0;

  before(async () => {
    here = await cliDirectory();
    espalier = createEspalier({ store: memoryStore() });
    service = await serve(espalier, { port: 0 });
    proxy = createServer((asked, answer) => {
      const { url = '', method, headers } = asked;
      if (refused > 0 && /\/(?:task|board)\/[-0-9a-f]{36}$/.test(url)) {
        refused -= 1;
        answer.writeHead(503).end();
        return;
      }
      const passed = request(new URL(url, service.url), { method, headers }, (response) => {
        answer.writeHead(response.statusCode!, response.headers);
        answer.flushHeaders();
        response.on('error', () => answer.destroy()).pipe(answer);
      });
      answer.on('close', () => passed.destroy());
      asked.pipe(passed.on('error', () => answer.destroy()));
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const user = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    const { token } = await espalier.tokens.createFor({ userId: user.id, name: 'cli' });
    ada = espalier.as(user);
    ({ id: workspaceId } = await ada.workspaces.create({ name: 'Acme' }));
    ({ id: boardId } = await ada.boards.create({ workspaceId, name: 'Dev' }));
    await ada.statuses.create({ workspaceId, boardId, name: 'Todo' });
    await ada.tasks.create({ workspaceId, boardId, title: 'One' });
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    Object.assign(here.env, { ESPALIER_URL: url, ESPALIER_TOKEN: token, ESPALIER_WORKSPACE: 'acme' });
  });
  after(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await service.close();
    await espalier.close();
    await here.close();
  });

  /** Runs a command until it has printed the last of these. @param then called when it has printed the first */
  async function follow(args: readonly string[], [first, last]: readonly RegExp[], then: () => Promise<unknown>) {
    const stop = new AbortController();
    let printed = '';
    let begun: Promise<unknown> | undefined;
    const onStdout = (text: string) => {
      printed += text;
      if (first!.test(printed)) begun ??= then();
      if (last!.test(printed)) stop.abort();
    };
    const ran = await here.run(args, { terminal: 80, rows: 24, stop: stop.signal, onStdout });
    await begun;
    return ran;
  }

  it('go on where it is out of reach while they read what an event is about', async () => {
    const since = (await here.ok(['changes'])).stdout.trim();
    await here.ok(['task', 'comment', '#1', 'Done']);
    refused = ATTEMPTS;
    const line = /comment\.create {2}#1 One/;
    const { code, stderr } = await follow(['watch', '--since', since], [line, line], () => Promise.resolve());
    expect([code, refused], stderr).to.deep.equal([0, 0]);
  });

  it('go on where it is out of reach while they draw a board again', async () => {
    const { code, stderr } = await follow(['board', 'show', 'Dev', '--watch'], [/#1 One/, /#2 Two/], () => {
      refused = ATTEMPTS;
      return ada.tasks.create({ workspaceId, boardId, title: 'Two' });
    });
    expect([code, refused], stderr).to.deep.equal([0, 0]);
  });
});
