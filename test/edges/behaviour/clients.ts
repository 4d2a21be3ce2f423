import { createClient } from '../../../adapters/client/index.ts';
import { createEspalier } from '../../../adapters/service/index.ts';
import { startService } from '../../../adapters/http/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import type { Session } from '../../../core/session.ts';

/** The people of the behaviours. Ada is a service administrator; nobody has no user at all. */
export const PEOPLE = ['ada', 'ben', 'cleo', 'nobody'] as const;
export type Person = (typeof PEOPLE)[number];

/** Makes sessions for the people. They may be in process or remote. */
export interface Clients {
  readonly sessions: Readonly<Record<Person, Session>>;
  /** Resolves when nothing deleted is left to be removed. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export async function inProcess(): Promise<Clients> {
  const { espalier, ids } = await users();
  const sessions = Object.fromEntries(PEOPLE.map((name) => [name, espalier.as(ids[name])]));
  return { sessions: sessions as Clients['sessions'], idle: () => espalier.idle(), close: () => espalier.close() };
}

/** Over a socket, to a service that listens. */
export async function throughService(): Promise<Clients> {
  const { espalier, tokens } = await users();
  const { engine, identity } = espalier;
  const service = await startService({ engine, identity, ready: () => espalier.store.ready(), port: 0 });
  const sessions = Object.fromEntries(
    PEOPLE.map((name) => [name, createClient({ url: service.url, token: tokens[name] })]),
  );
  return {
    sessions: sessions as Clients['sessions'],
    idle: () => espalier.idle(),
    async close() {
      await service.close();
      await espalier.close();
    },
  };
}

async function users() {
  let now = Date.UTC(2026, 2, 1, 12);
  // Each moment is later than the one before, so that every order by time is the same for every client.
  const espalier = createEspalier({ store: memoryStore(), clock: { now: () => (now += 1) } });
  const ids: Record<Person, string> = { ada: '', ben: '', cleo: '', nobody: '018f6a3e-0000-7000-8000-000000000000' };
  const tokens: Record<Person, string> = { ada: '', ben: '', cleo: '', nobody: 'esp_unknown' };
  for (const name of PEOPLE) {
    if (name === 'nobody') continue;
    const user = {
      name: name[0]!.toUpperCase() + name.slice(1),
      email: `${name}@example.org`,
      administrator: name === 'ada',
    };
    ids[name] = (await espalier.users.create(user)).id;
    tokens[name] = (await espalier.tokens.createFor({ userId: ids[name], name: 'behaviours' })).token;
  }
  return { espalier, ids, tokens };
}
