import { connect } from 'node:net';

/** What came back over a connection of one's own, until it was closed or cut off. */
export interface RawAnswer {
  /** Of each answer on the connection. */
  readonly statuses: readonly number[];
  readonly text: string;
}

/**
 * Sends bytes as they are, and waits until the service closes the connection.
 *
 * @param parts sent one after another; a number is a pause in milliseconds
 */
export function sendRaw(url: string, parts: readonly (string | number)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const end = () => {
      socket.destroy();
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      resolve({ statuses, text });
    };
    socket.setEncoding('latin1');
    socket.setTimeout(20_000, () => {
      socket.destroy();
      reject(new Error(`no answer to ${String(parts[0]).slice(0, 200)}; so far ${text}`));
    });
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', end);
    socket.on('close', end);
    socket.on('connect', () => void send());
    const send = async () => {
      for (const part of parts) {
        if (typeof part === 'string') socket.write(part, 'latin1');
        else await new Promise((go) => void setTimeout(go, part));
      }
    };
  });
}
