import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect } from 'chai';
import { connectionShare } from '../../../../adapters/http/connection/connection-share.ts';
import { jsonList } from '../../../../adapters/http/response/json.ts';
import { recordText } from '../../../../adapters/http/response/record-text.ts';
import { buffersInUse, collectGarbage } from '../../../fixtures/garbage.ts';

const CONNECTIONS = 20;
const RECORDS = 1_000;

describe('what a service keeps', () => {
  it('is nothing of connections that are closed, though nobody asks how many are busy', async () => {
    const server = createServer((_, response) => void response.end('ok'));
    const share = connectionShare(server);
    const sockets: WeakRef<Socket>[] = [];
    server.on('connection', (socket) => void sockets.push(new WeakRef(socket)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const ask = async (agent: Agent) => {
      const [response] = (await once(get({ port, agent }), 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
    };
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    await ask(kept);
    await ask(kept);
    expect(share.busyConnections()).to.deep.equal({ reading: 1, writing: 0 });
    expect(share.busyConnections()).to.deep.equal({ reading: 0, writing: 0 });
    for (let count = 0; count < CONNECTIONS; count += 1) await ask(new Agent());
    await ask(kept);
    expect(sockets).to.have.length(1 + CONNECTIONS);
    kept.destroy();
    await new Promise((closed) => server.close(closed));
    await collectGarbage();
    expect(sockets.filter((socket) => socket.deref() !== undefined)).to.deep.equal([]);
    expect(share.busyConnections()).to.deep.equal({ reading: 1 + CONNECTIONS, writing: 0 });
  });

  it('are texts of records in no more memory than they have, whatever else is in use when they are made', async () => {
    const records = Array.from({ length: RECORDS }, (_, num) => Object.freeze({ num, title: 'x'.repeat(200) }));
    const before = await buffersInUse();
    for (const record of records) {
      await recordText(record);
      await jsonList([record]);
      for (let times = 0; times < 8; times += 1) Buffer.from('x'.repeat(1_000));
    }
    const more = (await buffersInUse()) - before;
    expect(more).to.be.lessThan(RECORDS * 1_000);
    expect(records).to.have.length(RECORDS);
  });
});
