import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Espalier, OpenedStore, OpenOptions } from '../../adapters/service/index.ts';
import { withoutPassword } from '../../adapters/service/store-url.ts';
import { EspalierError } from '../../core/kernel/errors.ts';
import type { User } from '../../core/model/user/user.ts';
import type { Session } from '../../core/session.ts';
import { isEmail } from '../../adapters/schemas/formats.ts';
import { Failure, missing, usage } from '../io/failure.ts';
import { fileModeOf } from './file-mode.ts';
import type { Settings, ConnectionTarget } from './settings.ts';
import { switchOf } from './switch.ts';

/** A session on the engine that a command uses. */
export interface OpenedSession {
  readonly session: Session;
  /** The engine in process; null for a remote service. */
  readonly local: Espalier | null;
  /** The path of the store file, if it was created. */
  readonly made: string | null;
  close(): Promise<void>;
}

/** The value of `--as` for the operator of the store. */
export const OPERATOR = 'operator';

/** How a command connects to a store. */
export interface StoreUse {
  /** Whether a missing store is created; otherwise it is an error, as the name may be mistyped. */
  readonly makesStore?: true;
  /** Whether the command runs as the operator, whichever user the settings name. */
  readonly asOperator?: true;
}

export async function openSession(settings: Settings, cwd: string, use: StoreUse = {}): Promise<OpenedSession> {
  const target = settings.target();
  if (target.kind === 'service') return connectService(settings, target);
  const impersonation = !switchOf(settings, 'noImpersonation');
  const email = use.asOperator === true || isOperator({ settings }) ? null : (settings.value('as') ?? null);
  // A new store has no user to act as.
  const mustExist = use.makesStore !== true || email !== null;
  const { store, made } = await openStoreAt(target.url, cwd, { mustExist, fileMode: fileModeOf(settings) });
  const { createEspalier } = await import('../../adapters/service/index.ts');
  const local = createEspalier({ store, impersonation });
  try {
    const session = email === null ? local.operator : local.as(await actingUser(local, email));
    return { session, local, made, close: () => local.close() };
  } catch (error) {
    await local.close();
    throw error;
  }
}

async function connectService(
  settings: Settings,
  target: ConnectionTarget & { kind: 'service' },
): Promise<OpenedSession> {
  const as = settings.get('as');
  if (as?.source === 'flag') throw usage('--as is for a store; on a service, ESPALIER_TOKEN says who you are.');
  if (target.token === undefined || target.token.trim() === '') {
    throw new Failure('denied', `There is no token for ${target.url}.`, [
      `Sign in: espalier login ${target.url}`,
      'or set ESPALIER_TOKEN.',
    ]);
  }
  const { createClient } = await import('../../adapters/client/index.ts');
  const session = createClient({ url: target.url, token: target.token, takeCurrentVersion: true });
  return { session, local: null, made: null, close: () => Promise.resolve() };
}

/** Whether the caller is the operator of a store, without a user to act as. */
export function isOperator({ settings }: { readonly settings: Settings }): boolean {
  return (settings.value('as') ?? OPERATOR) === OPERATOR;
}

/** An open store, and the path of its file if it was created. */
export interface LocalStore {
  readonly store: OpenedStore;
  readonly made: string | null;
}

/** @param cwd base of a relative path. @throws a failure if it must exist and does not */
async function openStoreAt(url: string, cwd: string, options: OpenOptions): Promise<LocalStore> {
  const { openStore } = await import('../../adapters/service/index.ts');
  const { url: located, makes } = locateStore(url, cwd);
  const store = await openStore(located, options).catch((error: unknown) => {
    if (!(error instanceof EspalierError) || error.code !== 'not-found') throw error;
    throw missing(error.detail, 'Check --store, or create a store there: espalier init');
  });
  return { store, made: makes };
}

/** The location of a store, and the path of the file that opening it creates, or null. */
export interface StoreLocation {
  readonly url: string;
  readonly makes: string | null;
}

/** @param cwd base of a relative path. @throws a usage failure for the address of a service */
export function locateStore(url: string, cwd: string): StoreLocation {
  if (/^https?:/i.test(url))
    throw usage(`${withoutPassword(url)} is a service, not a store: use --url or ESPALIER_URL.`);
  const path = storeFile(url, cwd);
  if (path === null) return { url, makes: null };
  return { url: `file:${path}`, makes: existsSync(path) ? null : path };
}

/** A user on whose behalf a command acts. @throws a failure for an unknown or disabled user */
export async function actingUser(espalier: Pick<Espalier, 'users'>, email: string): Promise<{ readonly id: string }> {
  const user = await userByEmail(espalier, email);
  if (user.disabled) {
    throw new Failure('denied', `The user ${email} is disabled.`, [
      `To unblock them: espalier user edit ${email} --no-disabled --as ${OPERATOR}`,
    ]);
  }
  return user;
}

export async function userByEmail({ users }: Pick<Espalier, 'users'>, email: string): Promise<User> {
  const [user] = isEmail(email) ? (await users.list({ email })).items : [];
  if (user === undefined) {
    throw missing(
      `The store has no user with the e-mail address ${email}.`,
      `Create one: espalier user create --name NAME --email ${email}`,
    );
  }
  return user;
}

/** The absolute path of the file of a store URL; null for another kind of URL. */
export function storeFile(url: string, cwd: string): string | null {
  return url.startsWith('file:') && url !== 'file:' ? resolve(cwd, url.slice('file:'.length)) : null;
}
