import { isAbsolute, resolve } from 'node:path';
import type { Espalier } from '../adapters/container/index.ts';
import type { Session } from '../core/session.ts';
import { foldEmail } from '../core/user/user.ts';
import { missing, usage } from './failure.ts';
import type { Settings } from './settings.ts';

/** The engine that a command drives, and on whose behalf. */
export interface Connection {
  readonly session: Session;
  /** The engine in process; null for a remote service. */
  readonly local: Espalier | null;
  close(): Promise<void>;
}

export async function connect(settings: Settings, cwd: string): Promise<Connection> {
  const target = settings.target();
  if (target.kind === 'service') throw usage('A remote service cannot be driven yet: name a store with --store.');
  const local = await openLocal(target.url, cwd);
  try {
    const email = settings.value('as');
    const session = email === undefined ? local.operator : local.as(await userByEmail(local, email));
    return { session, local, close: () => local.close() };
  } catch (error) {
    await local.close();
    throw error;
  }
}

export async function openLocal(url: string, cwd: string): Promise<Espalier> {
  const { createEspalier, openStore } = await import('../adapters/container/index.ts');
  return createEspalier({ store: await openStore(absolute(url, cwd)) });
}

export async function userByEmail(espalier: Espalier, email: string): Promise<{ readonly id: string }> {
  const user = await espalier.store.read((tx) => tx.users.byEmail(foldEmail(email)));
  if (user === null) {
    throw missing(
      `The store has no user with the e-mail address ${email}.`,
      `Create one: espalier user create --name NAME --email ${email}`,
    );
  }
  return user;
}

function absolute(url: string, cwd: string): string {
  if (!url.startsWith('file:') || url === 'file:') return url;
  const path = url.slice('file:'.length);
  return isAbsolute(path) ? url : `file:${resolve(cwd, path)}`;
}
