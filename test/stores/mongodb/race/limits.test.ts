import { expect } from 'chai';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { MongoClient } from 'mongodb';
import { v4 } from 'uuid';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { mongodbStore, type MongodbStore } from '../../../../adapters/store-mongodb/index.ts';
import { start } from '../../../edges/cli/child.ts';
import { cliDirectory, type CliDirectory } from '../../../edges/cli/in-process.ts';
import { newApi } from '../../../edges/http/support.ts';
import { needs } from '../../../fixtures/available.ts';
import { failCommands } from '../../../fixtures/mongodb/fail-commands.ts';
import {
  emptyMongodbStore,
  mongodbPeer,
  mongodbUrl,
  mongodbUrlOf,
  rawDatabase,
} from '../../../fixtures/mongodb/mongodb.ts';

interface Process {
  readonly url: string;
  readonly token: string | undefined;
  readonly child: ChildProcessWithoutNullStreams;
}

const LIMITS = ['--requests-per-minute', '5', '--failures-per-minute', '4', '--unknown-invitations-per-minute', '3'];

describe('limits of two processes on one cluster', function () {
  this.timeout(60_000);
  let here: CliDirectory;
  const running: Process[] = [];

  before(async function () {
    await mongodbUrl(this);
    here = await cliDirectory();
    await (await emptyMongodbStore('limits')).close();
    for (let i = 0; i < 2; i += 1) running.push(await serve());
  });

  after(async () => {
    for (const { child } of running) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await here?.close();
  });

  async function serve(): Promise<Process> {
    const child = start(here, 'serve', '--port', '0', '--jsonl', '--store', await mongodbUrlOf('limits'), ...LIMITS);
    child.stderr.resume();
    let text = '';
    for await (const part of child.stdout) {
      text += String(part);
      if (!text.includes('\n')) continue;
      const said = JSON.parse(text) as { url: string; administrator: { token: string } | null };
      return { url: said.url, token: said.administrator?.token, child };
    }
    throw new Error('The service has ended.');
  }

  async function get(i: number, path: string, token: string) {
    const { status, headers } = await fetch(running[i % 2]!.url + path, {
      headers: { authorization: `Bearer ${token}` },
    });
    const left = headers.get('ratelimit-remaining');
    return { status, left: left === null ? null : Number(left), wait: Number(headers.get('retry-after')) };
  }

  /** Of a user of its own: limits count the user. */
  async function newToken(): Promise<string> {
    const espalier = createEspalier({ store: await mongodbPeer('limits') });
    const { id: userId } = await espalier.users.create({ name: 'Ben', email: `${v4()}@example.org` });
    const { token } = await espalier.tokens.createFor({ userId, name: 'laptop' });
    await espalier.close();
    return token;
  }

  it('count what a user asks of both', async () => {
    const token = await newToken();
    const seen = [];
    for (let i = 0; i < 7; i += 1) seen.push(await get(i, '/api/me', token));
    expect(seen.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200, 429, 429]);
    expect(seen.map(({ left }) => left)).to.deep.equal([4, 3, 2, 1, 0, 0, 0]);
    for (const { wait } of seen.slice(5)) expect(wait).to.be.within(1, 60);
  });

  it('count the invitations that are guessed at both', async () => {
    const token = await newToken();
    const path = () => `/api/workspace/invitation/${v4()}`;
    const seen = [];
    for (let i = 0; i < 5; i += 1) seen.push((await get(i, path(), token)).status);
    expect(seen).to.deep.equal([404, 404, 404, 429, 429]);
  });

  it('count the tokens that are guessed at both', async () => {
    const token = await newToken();
    const seen = [];
    for (let i = 0; i < 6; i += 1) seen.push((await get(i, '/api/me', 'esp_guess')).status);
    expect(seen).to.deep.equal([401, 401, 401, 401, 429, 429]);
    for (const i of [0, 1]) expect((await get(i, '/api/me', token)).status).to.equal(429);
  });

  it('keep what they count until its minute is over', async () => {
    const indexes = await (await rawDatabase('limits')).collection('limits').indexes();
    expect(indexes.find(({ name }) => name === 'expire')).to.include({ expireAfterSeconds: 0 });
    const found = await (await rawDatabase('limits')).collection('limits').find().toArray();
    expect(found.length).to.be.greaterThan(0);
    for (const { expire } of found) expect(expire).to.be.instanceOf(Date);
  });
});

describe('limits on a cluster', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  it('let through exactly as many as there may be, when many come at once', async () => {
    await (await emptyMongodbStore('limits-at-once')).close();
    const peers = [await mongodbPeer('limits-at-once'), await mongodbPeer('limits-at-once')] as MongodbStore[];
    for (const peer of peers) await peer.ready();
    const limiters = peers.map((peer) => peer.limiter({ name: 'test', points: 10, seconds: 60 }));
    const uses = await Promise.all(Array.from({ length: 40 }, (_, i) => limiters[i % 2]!.use('one')));
    expect(uses.filter(({ isOver }) => !isOver)).to.have.length(10);
    expect((await limiters[0]!.peek('one')).isOver).to.equal(true);
    expect((await limiters[1]!.peek('another')).isOver).to.equal(false);
    for (const peer of peers) await peer.close();
  });

  it('are counted by each process for itself while the cluster does not answer, without waiting for it', async function () {
    const appName = 'espalier-limits';
    const store = (await emptyMongodbStore('limits-late', { client: { appName } })) as MongodbStore;
    const admin = new MongoClient(await mongodbUrl(this));
    const hold = (commands: readonly string[]) =>
      failCommands(admin, { failCommands: commands, blockConnection: true, blockTimeMS: 5_000, appName }, 'alwaysOn');
    try {
      await store.ready();
      const limiter = store.limiter({ name: 'test', points: 10, seconds: 60 });
      for (const left of [9, 8, 7]) expect(await limiter.use('one')).to.include({ left });
      needs(this, 'a MongoDB with enableTestCommands', await hold(['findAndModify', 'find']));
      expect(await limiter.peek('one')).to.include({ left: 10 });
      expect(await limiter.use('one')).to.include({ left: 9 });
      expect(await limiter.peek('one')).to.include({ left: 9 });
    } finally {
      await hold(['none']);
      await admin.close();
      await store.close();
    }
  });

  it('are counted by each process for itself while the cluster cannot be reached: nobody is left waiting', async () => {
    const gone = mongodbStore({ url: 'mongodb://127.0.0.1:1/?replicaSet=none' });
    const api = await newApi('through a socket', {
      limits: { requestsPerMinute: 2, failuresPerMinute: 2, unknownInvitationsPerMinute: 2 },
      limiter: gone.limiter,
    });
    const { token } = await api.user('Ada');
    const seen = [];
    for (let i = 0; i < 3; i += 1) seen.push((await api.ask({ method: 'GET', path: '/api/me', token })).status);
    expect(seen).to.deep.equal([200, 200, 429]);
    await api.close();
    await gone.close();
  });
});
