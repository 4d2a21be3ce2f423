import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
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
    const closed = once(socket, 'close');
    // Timers of the same length end in the order in which they begin.
    let isOver = false;
    await withoutRequestTimeout(message, async () => void setTimeout(() => (isOver = true), TIMEOUT));
    const alive = setInterval(() => {}, TIMEOUT);
    await closed;
    clearInterval(alive);
    expect(isOver).to.equal(true);
  });
});
