import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What lies between browsers and a service. */
export interface Network {
  /** Of the service, through this network. */
  readonly url: string;
  /** Breaks all connections, and every new one until it is mended. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function networkTo(service: string): Promise<Network> {
  const { hostname, port } = new URL(service);
  const open = new Set<Socket>();
  let isCut = false;
  const join = (from: Socket, to: Socket) => {
    open.add(from);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      open.delete(from);
      to.destroy();
    });
    from.pipe(to);
  };
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    join(near, far);
    join(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      breakAll();
    },
    mend() {
      isCut = false;
    },
    async close() {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}
