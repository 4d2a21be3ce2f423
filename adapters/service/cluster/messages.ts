import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers';

/** One end of a connection between two processes that carries JSON messages in order. */
export interface Messages {
  /** @param failed called if the message could not be sent */
  send(message: object, failed: (error: Error) => void): void;
  onMessage(listener: (message: object) => void): void;
  /** Called when the other end has closed, possibly more than once. */
  onGone(listener: () => void): void;
}

/** The channel between a process and a forked child, for both ends. */
export function processMessages(other: ChildProcess | NodeJS.Process): Messages {
  const end = other as ChildProcess;
  return {
    send(message, failed) {
      end.send(message, undefined, undefined, (error) => {
        if (error !== null) failed(error);
      });
    },
    onMessage: (listener) => end.on('message', listener),
    onGone(listener) {
      // If the other is killed while a message is being sent to it, only 'exit' is emitted.
      for (const event of ['disconnect', 'exit']) end.once(event, listener);
    },
  };
}

/**
 * JSON Lines over a socket. Messages of one turn of the event loop are written together: a system call per message
 * would cost more than the message.
 */
export function socketMessages(socket: Socket): Messages {
  let lines: string[] = [];
  let begun = '';
  const listeners: ((message: object) => void)[] = [];

  function flush(): void {
    const text = lines.join('');
    lines = [];
    socket.write(text);
  }

  socket.setEncoding('utf8').on('data', (text: string) => {
    const parts = text.split('\n');
    parts[0] = begun + parts[0]!;
    begun = parts.pop()!;
    for (const line of parts) {
      const message = JSON.parse(line) as object;
      for (const listener of listeners) listener(message);
    }
  });
  // 'close' follows.
  socket.on('error', () => {});
  return {
    send(message, failed) {
      if (!socket.writable) {
        failed(new Error('The other process is gone.'));
        return;
      }
      if (lines.length === 0) setImmediate(flush);
      lines.push(`${JSON.stringify(message)}\n`);
    },
    onMessage: (listener) => void listeners.push(listener),
    onGone: (listener) => void socket.once('close', listener),
  };
}
