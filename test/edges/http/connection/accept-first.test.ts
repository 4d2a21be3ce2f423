import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { acceptFirst } from '../../../../adapters/http/connection/accept-first.ts';
import { connectionLimits } from '../../../../adapters/http/connection/connection-limits.ts';
import { limitConnections } from '../../../../adapters/http/connection/connections.ts';

const MOST_AT_ONCE = 100;

describe('connections that wait to be accepted', () => {
  it('go before requests, up to 100 of them', async () => {
    // How many connections each turn of the event loop accepts, and how many requests arrive in it.
    const turns = fc.array(fc.record({ accepts: fc.boolean(), requests: fc.nat({ max: 2 }) }), { maxLength: 40 });
    const runs = fc.array(
      fc.oneof(turns, fc.constant(Array.from({ length: 150 }, () => ({ accepts: true, requests: 1 })))),
      {
        maxLength: 3,
      },
    );
    await fc.assert(
      fc.asyncProperty(runs, async (parts) => {
        const server = new EventEmitter();
        const start = acceptFirst(server as Server);
        let accepted = 0;
        const started: number[] = [];
        let arrived = 0;
        for (const { accepts, requests } of parts.flat()) {
          if (accepts) {
            accepted += 1;
            server.emit('connection');
          }
          for (let i = 0; i < requests; i += 1) {
            const [own, before] = [arrived++, accepted];
            start(() => {
              expect(accepted - before, 'connections that a request waits for').to.be.at.most(MOST_AT_ONCE);
              started.push(own);
            });
          }
          await turn();
        }
        await turn();
        await turn();
        expect(started.toSorted((a, b) => a - b)).to.deep.equal(Array.from({ length: arrived }, (_, n) => n));
      }),
      { numRuns: 50 },
    );
  });

  it('leave a request of a connection that is open to start at once', async () => {
    const server = new EventEmitter();
    const start = acceptFirst(server as Server);
    server.emit('connection');
    await turn();
    await turn();
    let started = false;
    start(() => (started = true));
    expect(started).to.equal(true);
  });

  it('leave a request whose client has gone meanwhile unanswered', async () => {
    const server = Object.assign(new EventEmitter(), { setTimeout: () => undefined });
    let requests = 0;
    server.on('request', () => (requests += 1));
    limitConnections(server as unknown as Server, connectionLimits({}), () => undefined);
    const [gone, here] = [1, 2].map(() => Object.assign(new EventEmitter(), { destroyed: false }));
    for (const socket of [gone!, here!]) {
      server.emit('connection', socket);
      server.emit('request', { socket }, new EventEmitter());
    }
    gone!.destroyed = true;
    for (let i = 0; i < 3; i += 1) await turn();
    expect(requests).to.equal(1);
  });

  it('are all accepted before the first of their requests starts', async () => {
    const clients = 50;
    let accepted = 0;
    const acceptedAtStart: number[] = [];
    const server = createServer((_, response) => {
      acceptedAtStart.push(accepted);
      response.end();
    });
    server.on('connection', () => (accepted += 1));
    limitConnections(server, connectionLimits({}), () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connected = new Int32Array(new SharedArrayBuffer(4));
    const may = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(CLIENTS, { eval: true, workerData: { port, clients, may, connected } });
    try {
      await once(worker, 'online');
      Atomics.store(may, 0, 1);
      Atomics.notify(may, 0);
      // This thread accepts none until all have connected.
      for (let n = 0; n < clients; n = Atomics.load(connected, 0)) Atomics.wait(connected, 0, n, 30_000);
      await once(worker, 'message');
      expect(acceptedAtStart).to.deep.equal(Array.from({ length: clients }, () => clients));
    } finally {
      await worker.terminate();
      server.close();
    }
  });
});

/** Each sends a request as soon as it is connected, which the operating system says before the server has accepted it. */
const CLIENTS = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, clients, may, connected } } = require('node:worker_threads');
  Atomics.wait(may, 0, 0);
  let answered = 0;
  for (let i = 0; i < clients; i += 1) {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n', () => {
        Atomics.add(connected, 0, 1);
        Atomics.notify(connected, 0);
      });
    });
    socket.once('data', () => {
      answered += 1;
      if (answered === clients) parentPort.postMessage('answered');
    });
  }
`;
