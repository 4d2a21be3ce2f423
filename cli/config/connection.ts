import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { Espalier, OpenedStore } from '../../adapters/service/index.ts';
import type { Session } from '../../core/session.ts';
import { foldEmail } from '../../core/model/user.ts';
import { Failure, missing, usage } from '../io/failure.ts';
import { quotasOf } from './quotas.ts';
import type { Settings, Target } from './settings.ts';

/** The engine that a command drives, and on whose behalf. */
export interface Connection {
  readonly session: Session;
  /** The engine in process; null for a remote service. */
  readonly local: Espalier | null;
  close(): Promise<void>;
}

/** What `--as` takes for whoever holds the store. */
export const OPERATOR = 'operator';

export async function connect(settings: Settings, cwd: string): Promise<Connection> {
  const target = settings.target();
  if (target.kind === 'service') return connectService(settings, target);
  const email = isOperator({ settings }) ? null : (settings.value('as') ?? null);
  if (email !== null) expectStore(absolute(target.url, cwd));
  const local = await openLocal(settings, target.url, cwd);
  try {
    const session = email === null ? local.operator : local.as(await userByEmail(local, email));
    return { session, local, close: () => local.close() };
  } catch (error) {
    await local.close();
    throw error;
  }
}

async function connectService(settings: Settings, target: Target & { kind: 'service' }): Promise<Connection> {
  const as = settings.get('as');
  if (as?.source === 'flag') throw usage('--as is for a store; on a service one is whom ESPALIER_TOKEN belongs to.');
  if (target.token === undefined) {
    throw new Failure('denied', `There is no token for ${target.url}.`, [
      'Set ESPALIER_TOKEN, or keep one in a profile: espalier config set token -',
    ]);
  }
  const { createClient } = await import('../../adapters/client/index.ts');
  const session = createClient({ url: target.url, token: target.token, takeCurrentVersion: true });
  return { session, local: null, close: () => Promise.resolve() };
}

/** On a store, without a user to act as. */
export function isOperator({ settings }: { readonly settings: Settings }): boolean {
  return (settings.value('as') ?? OPERATOR) === OPERATOR;
}

/** Nobody to act as is in a store that is not there: to open it would leave an empty one where the name was mistyped. */
function expectStore(url: string): void {
  const path = fileIn(url);
  if (path === null || existsSync(path)) return;
  throw missing(`There is no store at ${path}.`, 'Make one: espalier init');
}

async function openLocal(settings: Settings, url: string, cwd: string): Promise<Espalier> {
  const { createEspalier } = await import('../../adapters/service/index.ts');
  const quotas = quotasOf(settings);
  return createEspalier({ store: await openStoreAt(url, cwd), ...(quotas && { quotas }) });
}

/** @param cwd where a relative path of a file begins */
export async function openStoreAt(url: string, cwd: string): Promise<OpenedStore> {
  const { openStore } = await import('../../adapters/service/index.ts');
  return openStore(absolute(url, cwd));
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
  const path = fileIn(url);
  return path === null || isAbsolute(path) ? url : `file:${resolve(cwd, path)}`;
}

/** The path in a URL of a file. */
function fileIn(url: string): string | null {
  return url.startsWith('file:') && url !== 'file:' ? url.slice('file:'.length) : null;
}
