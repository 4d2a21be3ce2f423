import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { connectionShare, type ConnectionShare } from '../../../../adapters/http/connection/connection-share.ts';

describe('the share of a process in the connections', () => {
  let server: Server;
  let share: ConnectionShare;
  let agents: Agent[];

  beforeEach(async () => {
    agents = [];
    server = createServer();
    share = connectionShare(server);
    server.on('request', (_, response) => void response.end('ok'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });

  afterEach(async () => {
    for (const agent of agents) agent.destroy();
    await new Promise((closed) => server.close(closed));
  });

  /** A client with one connection. It returns whether that is kept after the response. */
  function client() {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.push(agent);
    const { port } = server.address() as AddressInfo;
    return async (method: string) => {
      const [response] = (await once(request({ port, agent, method }).end(), 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
      return response.headers.connection === 'keep-alive';
    };
  }

  it('counts the connections with a request since the last count, as writing where most of their last requests write', async () => {
    const [reader, writer, both, idle] = [client(), client(), client(), client()];
    await idle('POST');
    share.busyConnections();
    for (const method of ['GET', 'POST', 'OPTIONS', 'HEAD']) await reader(method);
    for (const method of ['POST', 'GET', 'PATCH', 'DELETE']) await writer(method);
    for (const method of ['PUT', 'GET']) await both(method);
    expect(share.busyConnections()).to.deep.equal({ reading: 2, writing: 1 });
    await writer('GET');
    expect(share.busyConnections()).to.deep.equal({ reading: 0, writing: 1 });
    await writer('GET');
    expect(share.busyConnections()).to.deep.equal({ reading: 1, writing: 0 });
  });

  it('counts a connection that has read for long as writing after some writes, not after the first', async () => {
    const send = client();
    for (let reads = 0; reads < 100; reads += 1) await send('GET');
    const kinds: object[] = [];
    for (let writes = 0; writes < 20; writes += 1) {
      share.busyConnections();
      await send('POST');
      kinds.push(share.busyConnections());
    }
    expect(kinds[0]).to.deep.equal({ reading: 1, writing: 0 });
    expect(kinds.at(-1)).to.deep.equal({ reading: 0, writing: 1 });
  });

  it('ends as many reading and writing connections as the last call asks for', async () => {
    const [reader, writer] = [client(), client()];
    share.endConnections({ reading: 5, writing: 5 });
    share.endConnections({ reading: 1, writing: 2 });
    const kept: boolean[][] = [];
    for (let round = 0; round < 4; round += 1) kept.push([await reader('GET'), await writer('POST')]);
    const expected = [
      [false, false],
      [true, false],
      [true, true],
      [true, true],
    ];
    expect(kept).to.deep.equal(expected);
  });
});
