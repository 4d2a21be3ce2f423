import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { mongodBinary } from './mongod-binary.ts';

/** One mongod of a test. Ended by its process id. */
export class Mongod {
  readonly port: number;
  readonly #binary: string;
  readonly #args: readonly string[];
  #process: ChildProcess | null = null;

  constructor(binary: string, port: number, args: readonly string[]) {
    this.#binary = binary;
    this.port = port;
    this.#args = args;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  get running(): boolean {
    return this.#process !== null;
  }

  async start(): Promise<void> {
    const child = spawn(this.#binary, [...this.#args, '--port', String(this.port)], { stdio: 'ignore' });
    this.#process = child;
    child.once('exit', () => {
      if (this.#process === child) this.#process = null;
    });
    await eventually(async () => {
      if (this.#process === null) throw new Error('mongod ended while it started');
      return this.command({ ping: 1 });
    });
  }

  /** Runs a command of the server's own on just this member. */
  async command(command: Record<string, unknown>): Promise<Record<string, unknown>> {
    const options = { directConnection: true, serverSelectionTimeoutMS: 500, connectTimeoutMS: 500 };
    const client = new MongoClient(`mongodb://${this.address}`, options);
    try {
      return await client.db('admin').command(command);
    } finally {
      await client.close();
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#process;
    if (child === null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

/** Three members on loopback, with the default election settings. */
export class ReplicaSet {
  readonly members: readonly Mongod[];
  readonly url: string;
  readonly #folder: string;

  constructor(members: readonly Mongod[], folder: string) {
    this.members = members;
    this.#folder = folder;
    this.url = `mongodb://${members.map(({ address }) => address).join()}/?replicaSet=${SET}`;
  }

  /** The member that is primary now. Waits for one. */
  async primary(): Promise<Mongod> {
    return eventually(async () => {
      for (const member of this.members) {
        if (!member.running) continue;
        const hello = await member.command({ hello: 1 }).catch(() => null);
        if (hello?.['isWritablePrimary'] === true) return member;
      }
      throw new Error('No member is primary.');
    });
  }

  /** Waits until every member that runs is primary or secondary. */
  async settled(): Promise<void> {
    await this.primary();
    await eventually(async () => {
      for (const member of this.members) {
        const hello = await member.command({ hello: 1 });
        if (hello['isWritablePrimary'] !== true && hello['secondary'] !== true) throw new Error('A member is not up.');
      }
      return true;
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.stop()));
    await rm(this.#folder, { recursive: true, force: true });
  }
}

const SET = 'espalier';
const SMALL = ['--oplogSize', '64', '--bind_ip', '127.0.0.1', '--nounixsocket'];
const SMALL_CACHE = 0.25;
const QUIET = ['--quiet', '--setParameter', 'diagnosticDataCollectionEnabled=false'];
const FAULTS = ['--setParameter', 'enableTestCommands=1'];
/** As docs/mongodb.md advises, for a set to go on without a primary that has frozen and holds its connections. */
const ADVISED = {
  parameters: ['--setParameter', 'oplogFetcherSteadyStateMaxFetcherRestarts=0'],
  settings: { catchUpTimeoutMillis: 1_000 },
};

/** Starts a set of its own; null where there is no mongod to be had. @param cacheGb memory of each member */
export async function startReplicaSet(size = 3, cacheGb = SMALL_CACHE): Promise<ReplicaSet | null> {
  const binary = await mongodBinary();
  if (binary === null) return null;
  const folder = await mkdtemp(join(tmpdir(), 'espalier-mongod-'));
  const ports = await freePorts(size);
  const members = await Promise.all(
    ports.map(async (port) => {
      const dbpath = await mkdtemp(join(folder, 'member-'));
      const own = ['--replSet', SET, '--dbpath', dbpath, ...cache(cacheGb)];
      return new Mongod(binary, port, [...own, ...SMALL, ...QUIET, ...FAULTS, ...ADVISED.parameters]);
    }),
  );
  const set = new ReplicaSet(members, folder);
  try {
    await Promise.all(members.map((member) => member.start()));
    const config = {
      _id: SET,
      members: members.map(({ address: host }, _id) => ({ _id, host })),
      settings: ADVISED.settings,
    };
    const [first] = members;
    await first?.command({ replSetInitiate: config });
    // Otherwise the first election waits for the election timeout, ten seconds.
    await eventually(async () => first?.command({ replSetStepUp: 1 }));
    await set.settled();
    return set;
  } catch (error) {
    await set.stop();
    throw error;
  }
}

/** A server that is no replica set; null where there is no mongod to be had. */
export async function startStandalone(): Promise<{ readonly url: string; stop(): Promise<void> } | null> {
  const binary = await mongodBinary();
  if (binary === null) return null;
  const dbpath = await mkdtemp(join(tmpdir(), 'espalier-mongod-'));
  const [port] = await freePorts(1);
  const mongod = new Mongod(binary, port as number, ['--dbpath', dbpath, ...cache(SMALL_CACHE), ...SMALL, ...QUIET]);
  await mongod.start();
  return {
    url: `mongodb://${mongod.address}`,
    async stop() {
      await mongod.stop();
      await rm(dbpath, { recursive: true, force: true });
    },
  };
}

/** Tries again until it works, for up to a bound. */
export async function eventually<T>(attempt: () => Promise<T>, bound = 30_000): Promise<T> {
  const end = Date.now() + bound;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function cache(gigabytes: number): string[] {
  return ['--wiredTigerCacheSizeGB', String(gigabytes)];
}

/** Ports of loopback that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
