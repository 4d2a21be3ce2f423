import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TXT = 16;
const SRV = 33;

export interface NameServer {
  /** As `dns.setServers` takes it. */
  readonly address: string;
  close(): void;
}

/** Answers every question for SRV with these targets, for TXT with this text, and others with nothing. */
export async function nameServer(
  targets: readonly { readonly name: string; readonly port: number }[],
  text: string,
): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => {
    const end = question.indexOf(0, 12) + 5;
    const type = question.readUInt16BE(end - 4);
    const answers = type === SRV ? targets.map(srv) : type === TXT ? [txt(text)] : [];
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(0x8580, 2);
    for (const [i, count] of [1, answers.length, 0, 0].entries()) header.writeUInt16BE(count, 4 + 2 * i);
    const records = answers.map((data) => Buffer.concat([record(type, data.length), data]));
    socket.send(Buffer.concat([header, question.subarray(12, end), ...records]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, close: () => void socket.close() };
}

/** The name is that of the question, which stands behind the header. */
function record(type: number, length: number): Buffer {
  const head = Buffer.alloc(12);
  for (const [value, at] of [
    [0xc00c, 0],
    [type, 2],
    [1, 4],
    [length, 10],
  ] as const)
    head.writeUInt16BE(value, at);
  head.writeUInt32BE(60, 6);
  return head;
}

function srv({ name, port }: { readonly name: string; readonly port: number }): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt16BE(port, 4);
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([head, ...labels, Buffer.from([0])]);
}

function txt(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
}
