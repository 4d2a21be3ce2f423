import { connect, type Socket } from 'node:net';
import type { Shot } from '../load/lua.ts';
import { inRounds } from '../compare.ts';
import type { Part } from '../part.ts';
import { judged } from '../row.ts';
import { startedLimit, startedService } from '../service.ts';
import { SMALL } from '../world/shape.ts';
import { answerTo, createTask, getTasks } from './requests.ts';

/** Clients that connect at once, as after a restart, and then send one request after another. */
export const connectsPart: Part = {
  name: 'connects',
  async run({ clients, rounds }) {
    const product = await startedService('memory:', SMALL);
    const [read] = getTasks(SMALL, product.token);
    const body = await (await answerTo(product.url, read!)).text();
    const bare = await startedLimit({ kind: 'bytes', body });
    try {
      const side = (name: string, url: string, shot: Shot) => ({
        name,
        measure: async () => ({ ms: await lastFirstAnswer(url, shot, clients) }),
      });
      const [create] = createTask(SMALL, product.token);
      const sides = [
        side('read', product.url, read!),
        side('bare', bare.url, read!),
        side('create', product.url, create!),
      ];
      const [reading, bareReading, creating] = (await inRounds(rounds, sides)).map(({ ms }) => ms);
      const work = (what: string) =>
        `until each of ${clients} clients that connect at once and then ${what} all the time has an answer, memory`;
      return [
        judged({
          name: 'connects-read',
          work: work('read a task'),
          unit: 'ms',
          figure: reading!,
          against: 'a bare h3 route',
          limit: bareReading!,
          target: { atMost: 2 },
        }),
        judged({ name: 'connects-create', work: work('create tasks'), unit: 'ms', figure: creating! }),
      ];
    } finally {
      await product.worker.end();
      await bare.worker.end();
    }
  },
};

/** Milliseconds; what is not answered by then counts as much. */
const LONGEST = 10_000;

/** Milliseconds until each client has its first answer; those that have theirs go on. */
function lastFirstAnswer(url: string, shot: Shot, clients: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const request = textOf(shot, hostname);
  const sockets: Socket[] = [];
  const began = performance.now();
  return new Promise<number>((resolve) => {
    const timer = setTimeout(() => resolve(LONGEST), LONGEST);
    let missing = clients;
    for (let n = 0; n < clients; n += 1) {
      const socket = connect(Number(port), hostname, () => socket.write(request));
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => {
        missing -= 1;
        if (missing > 0) return;
        clearTimeout(timer);
        resolve(performance.now() - began);
      });
      // An answer is as small as to come at once.
      socket.on('data', () => socket.write(request));
    }
  }).finally(() => {
    for (const socket of sockets) socket.destroy();
  });
}

/** A request as it is sent: a client of its own would take longer than the service. */
function textOf({ method, path, token, body }: Shot, host: string): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers = [
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
    ...(text === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]),
  ];
  return [`${method} ${path} HTTP/1.1`, ...headers, '', text].join('\r\n');
}
