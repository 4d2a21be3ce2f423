import { once } from 'node:events';
import type { Socket } from 'node:net';

/** What a service sends on a connection from now on, until it ends. */
export async function heard(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => {});
  await once(socket, 'close');
  return text;
}
