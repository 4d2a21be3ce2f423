import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { expect } from 'chai';
import { limitConnections, type Connections } from '../../../../adapters/http/connection/connections.ts';
import { WRITTEN } from '../../../../adapters/http/response/outlet.ts';

const STALL_TIMEOUT = 30_000;

/** A connection that is looked at when the test says so. */
class FakeSocket extends EventEmitter {
  writableLength = 0;
  destroyed = false;
  timeout = STALL_TIMEOUT;

  setTimeout(milliseconds: number): void {
    this.timeout = milliseconds;
  }

  destroy(): void {
    this.destroyed = true;
  }

  destroySoon(): void {
    this.destroy();
  }
}

describe('a connection on which nothing is sent or taken', () => {
  let now: number;
  let reasons: string[];
  let server: EventEmitter;
  let connections: Connections;
  let look: (socket: FakeSocket) => void;

  beforeEach(() => {
    now = 1_000_000;
    reasons = [];
    const setTimeout = (_: number, run: typeof look) => void (look = run);
    server = Object.assign(new EventEmitter(), { setTimeout });
    const limits = { maxConnections: 10, stallTimeout: STALL_TIMEOUT, unreadLimit: 1_000_000 };
    connections = limitConnections(
      server as unknown as Server,
      limits,
      (reason) => reasons.push(reason),
      () => now,
    );
  });

  function connected(): FakeSocket {
    const socket = new FakeSocket();
    server.emit('connection', socket);
    return socket;
  }

  /** A request of it is answered. @param unread bytes that its client does not take */
  async function answered(socket: FakeSocket, unread: number): Promise<EventEmitter> {
    const response = new EventEmitter();
    server.emit('request', { socket }, response);
    socket.writableLength = unread;
    response.emit(WRITTEN);
    await new Promise((resolve) => setImmediate(resolve));
    return response;
  }

  /** So much time passes in which nothing happens. */
  function quietFor(socket: FakeSocket, milliseconds: number): void {
    for (const until = now + milliseconds; now < until;) {
      now += socket.timeout;
      look(socket);
    }
  }

  it('is closed after `stallTimeout` while its client takes nothing of an answer', async () => {
    const socket = connected();
    await answered(socket, 1);
    quietFor(socket, STALL_TIMEOUT - 5_000);
    expect([socket.destroyed, socket.timeout]).to.deep.equal([false, 5_000]);
    quietFor(socket, 5_000);
    expect([socket.destroyed, reasons]).to.deep.equal([true, ['stalled']]);
  });

  it('is left open as long as the client takes some of it', async () => {
    const socket = connected();
    await answered(socket, 1);
    for (let n = 0; n < 10; n += 1) {
      quietFor(socket, STALL_TIMEOUT - 5_000);
      // Node passes over a look where there was progress.
      now += socket.timeout;
    }
    expect([socket.destroyed, reasons]).to.deep.equal([false, []]);
  });

  it('is left open while its request is worked on, and not looked at more often', async () => {
    const socket = connected();
    await answered(socket, 0);
    quietFor(socket, 10 * STALL_TIMEOUT);
    expect([socket.destroyed, socket.timeout]).to.deep.equal([false, STALL_TIMEOUT]);
  });

  it('is closed once its client has taken the answer, where the service closes', async () => {
    const [idle, socket] = [connected(), connected()];
    const response = await answered(socket, 1);
    await connections.closeIdle();
    expect([idle.destroyed, socket.destroyed]).to.deep.equal([true, false]);
    response.emit('close');
    expect([socket.destroyed, reasons]).to.deep.equal([true, []]);
  });

  it('is closed without a reason where there is no request', () => {
    const socket = connected();
    quietFor(socket, STALL_TIMEOUT);
    expect([socket.destroyed, reasons]).to.deep.equal([true, []]);
  });
});
