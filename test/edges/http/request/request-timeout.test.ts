import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { limitUploadTime, withoutRequestTimeout } from '../../../../adapters/http/request/request-timeout.ts';

const TIMEOUT = 300;

describe('the time that the body of a request has to arrive', () => {
  function request() {
    const socket = Object.assign(new EventEmitter(), { write: () => true, destroy: () => void socket.emit('close') });
    const message = Object.assign(new EventEmitter(), { headers: { 'content-length': '5' }, socket, complete: false });
    limitUploadTime(message as unknown as IncomingMessage, { headersSent: false } as ServerResponse, TIMEOUT);
    return { socket, message: message as unknown as IncomingMessage };
  }

  it('ends with its connection', async () => {
    const { socket } = request();
    // The time of a request keeps no process.
    const alive = setInterval(() => {}, TIMEOUT);
    await once(socket, 'close');
    clearInterval(alive);
  });

  it('begins anew when the request has waited for its turn', async () => {
    const { socket, message } = request();
    let isClosed = false;
    socket.once('close', () => (isClosed = true));
    await withoutRequestTimeout(message, () => {
      const end = performance.now() + TIMEOUT + 10;
      while (performance.now() < end);
      return Promise.resolve();
    });
    for (let turns = 0; turns < 3; turns += 1) await setImmediate();
    expect(isClosed).to.equal(false);
    message.emit('close');
  });
});
