import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';
import { newApi, type Api } from '../support.ts';
import { heard } from '../heard.ts';

const idleGrace = 250;
const ASK = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

describe('a service that closes with `idleGrace`', () => {
  let timers: ManualTimers;
  let api: Api;
  let port: number;

  beforeEach(async () => {
    timers = new ManualTimers();
    api = await newApi('through a socket', { idleGrace, timers });
    port = Number(new URL(api.url).port);
  });
  afterEach(() => api.close());

  /** A connection that has been used. */
  async function kept(): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    socket.write(ASK);
    await once(socket, 'data');
    return socket;
  }

  /** Resolves when a service that closes has stopped listening, unless connections keep arriving. */
  async function stopsListening(): Promise<void> {
    for (let turns = 0; turns < 100; turns += 1) await setImmediate();
  }

  /** The code of the error with which a new connection fails; undefined if it does not. */
  function refusal(): Promise<string | undefined> {
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(undefined);
      });
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
  }

  it('answers a request on an idle connection until that time is over, and ends the connection with it', async () => {
    const [used, idle] = [await kept(), await kept()];
    const [answer, nothing] = [heard(used), heard(idle)];
    const closed = api.close();
    await stopsListening();
    timers.pass(idleGrace - 1);
    used.write(ASK);
    expect(await answer).to.match(/^HTTP\/1\.1 200 [^]*connection: close\r\n/i);
    expect(idle.destroyed).to.equal(false);
    timers.pass(1);
    expect(await nothing).to.equal('');
    await closed;
  });

  it('ends without that time where no connection is open', async () => {
    await api.close();
    expect(timers.count(idleGrace)).to.equal(0);
  });

  it('ends without that time once the last connection has ended', async () => {
    const socket = await kept();
    const closed = api.close();
    await stopsListening();
    socket.write(ASK);
    await closed;
    expect(timers.count(idleGrace)).to.equal(0);
  });

  it('answers on connections that wait to be accepted as it closes, and takes no others', async () => {
    const waiting = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'));
    const answers = waiting.map(heard);
    for (const socket of waiting) socket.write(ASK);
    // By then the operating system has connected them, and the service has accepted none.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    await api.close();
    for (const answer of await Promise.all(answers)) expect(answer).to.match(/^HTTP\/1\.1 200 /);
    expect(await refusal()).to.equal('ECONNREFUSED');
  });

  it('ends a connection with its answer only when it takes no new ones, as its client would open another', async () => {
    const socket = await kept();
    // More than are accepted before requests are served.
    const waiting = Array.from({ length: 150 }, () => connect(port, '127.0.0.1'));
    const answers = waiting.map(heard);
    for (const one of waiting) one.write(ASK);
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const closed = api.close();
    const isLast = async (): Promise<boolean> => {
      socket.write(ASK);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      return /^connection: close\r$/im.test(answer.toString());
    };
    while (!(await isLast()));
    expect(await refusal()).to.equal('ECONNREFUSED');
    // Some were answered before, and are idle.
    timers.pass(idleGrace);
    for (const answer of await Promise.all(answers)) expect(answer).to.match(/^HTTP\/1\.1 200 /);
    await closed;
  });

  it('does not accept connections for longer than that time, however many arrive', async () => {
    let isOver = false;
    // With these a connection waits in each turn.
    const arrive = () => {
      if (!isOver) connect(port, '127.0.0.1', arrive).on('error', () => {});
    };
    for (let i = 0; i < 10; i += 1) arrive();
    const closed = api.close();
    await stopsListening();
    timers.pass(idleGrace);
    await stopsListening();
    // The time for idle connections begins only then, as answers did not end their connections before.
    expect(timers.count(idleGrace)).to.equal(1);
    timers.pass(idleGrace);
    await closed;
    isOver = true;
    expect(await refusal()).to.equal('ECONNREFUSED');
  });
});
