import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { WriteForwarder } from '../../../adapters/service/cluster/write-forwarder.ts';
import { startWriteServer } from '../../../adapters/service/cluster/write-server.ts';
import type { Engine } from '../../../core/engine.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { ADA, codeOf, Forwarding, OPERATOR, watched, writing } from './forwarding.ts';

describe('the forwarding of writes to a process that ends or is silent', () => {
  const folder = temporaryFolder();
  let forwarding: Forwarding;

  beforeEach(() => {
    forwarding = new Forwarding(folder);
  });
  afterEach(() => forwarding.end());

  /** A writer that takes writes and answers none. */
  async function mute(): Promise<{ path: string; taken: Promise<void>; kill: () => void }> {
    const path = forwarding.newPath();
    let heard!: () => void;
    const taken = new Promise<void>((resolve) => (heard = resolve));
    const kills: (() => void)[] = [];
    const server = createServer((socket) => {
      socket.on('data', () => heard());
      socket.on('error', () => {});
      kills.push(() => socket.destroy());
    });
    server.listen(path);
    await once(server, 'listening');
    const kill = () => kills.splice(0).forEach((each) => each());
    forwarding.ends.push(() => {
      kill();
      server.close();
    });
    return { path, taken, kill };
  }

  it('lets a writer that closes answer what it has, and writes by itself from then on', async () => {
    const { server, there, here, engine } = await forwarding.withWriter();
    const users = Array.from({ length: 20 }, (_, n) => ({ name: 'Ben', email: `ben-${n}@example.org` }));
    const writes = users.map((user) => engine.users.create({ caller: OPERATOR }, user));
    await writes[0];
    await server.close();
    await Promise.all(writes);
    await engine.users.create({ caller: OPERATOR }, ADA);
    expect([there.ran.length, here.ran]).to.deep.equal([20, ['users.create']]);
  });

  it('says that the outcome is not known when the writer ends first, and then writes by itself', async () => {
    const { path, taken, kill } = await mute();
    const here = watched(forwarding.espalier.engine);
    const engine = forwarding.forwarder.engine(here.engine);
    await forwarding.begin([path], engine);
    const lost = codeOf(engine.users.create({ caller: OPERATOR }, ADA));
    await taken;
    kill();
    expect(await lost).to.equal('store-unavailable');
    expect(here.ran).not.to.include('users.create');
    expect(await codeOf(engine.users.create({ caller: OPERATOR }, ADA))).to.equal('ok');
  });

  it('gives nothing more to a writer that is silent', async () => {
    const { path, taken, kill } = await mute();
    forwarding.forwarder = new WriteForwarder({ silentAfter: 0 });
    const engine = forwarding.forwarder.engine(forwarding.espalier.engine);
    await forwarding.begin([path], engine);
    const lost = codeOf(engine.users.create({ caller: OPERATOR }, { name: 'Ben', email: 'ben@example.org' }));
    await taken;
    expect(await codeOf(engine.users.create({ caller: OPERATOR }, ADA))).to.equal('ok');
    kill();
    expect(await lost).to.equal('store-unavailable');
  });

  it('leaves writes to a writer that works on one for long, by its beats', async () => {
    const path = forwarding.newPath();
    let letGo!: () => void;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let begun!: () => void;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    const there = watched(forwarding.espalier.engine);
    const slow: Engine = {
      ...there.engine,
      pages: {
        ...there.engine.pages,
        async delete() {
          begun();
          await held;
        },
      },
    };
    const server = await startWriteServer(writing(slow), path, 1);
    forwarding.ends.push(() => server.close());
    let now = 0;
    let heard!: () => void;
    let isHeard = new Promise<void>((resolve) => (heard = resolve));
    const heardAt = () => {
      heard();
      return now;
    };
    forwarding.forwarder = new WriteForwarder({ silentAfter: 1_000, now: heardAt });
    const here = watched(forwarding.espalier.engine);
    const engine = forwarding.forwarder.engine(here.engine);
    await forwarding.begin([path], engine);
    const at = { workspaceId: 'w', pageId: 'p' };
    const long = engine.pages.delete({ caller: OPERATOR }, at);
    await isBegun;
    for (let i = 0; i < 3; i += 1) {
      now += 10_000;
      isHeard = new Promise<void>((resolve) => (heard = resolve));
      await isHeard;
      await engine.users.create({ caller: OPERATOR }, { name: 'Ben', email: `ben-${i}@example.org` });
    }
    letGo();
    await long;
    expect(here.ran.filter((name) => name === 'users.create')).to.deep.equal([]);
    expect(there.ran.filter((name) => name === 'users.create')).to.have.length(3);
  });
});
