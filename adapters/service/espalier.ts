import 'reflect-metadata/lite';
import { Container } from 'inversify';
import type { Engine } from '../../core/engine.ts';
import { sessionOf, type Session } from '../../core/session.ts';
import { invalid } from '../../core/kernel/errors.ts';
import type { Store } from '../../core/ports/store.ts';
import type { Identity } from '../../core/ports/identity.ts';
import { validated } from '../schemas/validate-engine.ts';
import type { Background } from './background.ts';
import { requireParts } from './require-parts.ts';
import { engineModule, identityModule, storeModule, systemModule, type Parts } from './modules.ts';
import { IDENTIFIERS } from './identifiers.ts';

/** The engine on a store, in process. The nouns `users`, `tokens` and `imports` act as the operator. */
export interface Espalier extends Pick<Session, 'users' | 'tokens' | 'imports'> {
  /**
   * A session on behalf of one user, or of the user with this id.
   *
   * @throws `invalid-input` if it is not a user, such as a promise of one, or an e-mail address
   */
  as(user: string | { readonly id: string }): Session;
  /** A session of the operator of the store. */
  readonly operator: Session;
  /** For adapters: every use case, with the caller as an argument. Inputs are not validated. */
  readonly engine: Engine;
  /** Authenticates tokens and identities of providers, for adapters. */
  readonly identity: Identity;
  /** The store of the engine. */
  readonly store: Store;
  /** Resolves when no background work is running. */
  idle(): Promise<void>;
  /**
   * Ends background work and closes the store. Idempotent. It ends calls that wait for changes, and waits for other
   * running calls: up to 240 s for a snapshot whose consumer stalls, and without a limit for the sink of an export. It
   * does not close a service started by `serve`: close that first.
   */
  close(): Promise<void>;
}

/**
 * Composes an engine, and resumes stored jobs.
 *
 * @throws `invalid-input` for parts that are missing, unknown, out of bounds or of another form
 *
 * @example const espalier = createEspalier({ store: memoryStore() }); const ada = espalier.as(await
 * espalier.users.create({ name: 'Ada', email: 'ada@example.org' }));
 */
export function createEspalier(parts: Parts): Espalier {
  requireParts(parts);
  const container = compose(parts);
  return espalierOf(container, {
    store: container.get(IDENTIFIERS.store),
    engine: container.get(IDENTIFIERS.engine),
    background: container.get(IDENTIFIERS.background),
    identity: container.get(IDENTIFIERS.identity),
  });
}

/** One container per engine, never per request. */
export function compose(parts: Parts): Container {
  const container = new Container();
  container.load(storeModule(parts.store), systemModule(parts), identityModule(parts.identity), engineModule(parts));
  return container;
}

/** The engine of a container that opens its store asynchronously. */
export async function espalierIn(container: Container): Promise<Espalier> {
  const store = await container.getAsync(IDENTIFIERS.store);
  const engine = await container.getAsync(IDENTIFIERS.engine);
  const background = await container.getAsync(IDENTIFIERS.background);
  return espalierOf(container, { store, engine, background, identity: await container.getAsync(IDENTIFIERS.identity) });
}

interface Resolved {
  readonly store: Store;
  readonly engine: Engine;
  readonly background: Background;
  readonly identity: Identity;
}

function espalierOf(container: Container, { store, engine, background, identity }: Resolved): Espalier {
  const checked = validated(engine);
  const operator = sessionOf(checked, { kind: 'operator' });
  let closing: Promise<void> | undefined;
  background.wake();
  return {
    users: operator.users,
    tokens: operator.tokens,
    imports: operator.imports,
    operator,
    as: (user) => sessionOf(checked, { kind: 'user', userId: idOf(user) }),
    engine,
    identity,
    store,
    idle: () => background.idle(),
    close: () => (closing ??= dispose(container)),
  };
}

/** In reverse order of dependency. */
async function dispose(container: Container): Promise<void> {
  for (const part of [IDENTIFIERS.wakeUps, IDENTIFIERS.listener, IDENTIFIERS.background, IDENTIFIERS.store]) {
    if (container.isBound(part)) await container.unbindAsync(part);
  }
}

function idOf(user: unknown): string {
  const id: unknown = typeof user === 'object' && user !== null && 'id' in user ? user.id : user;
  if (typeof id !== 'string') throw invalid('/user', 'must be a user or the id of a user; await a promise first');
  if (id.includes('@')) throw invalid('/user', 'must be a user or the id of a user; users.list({ email }) finds one');
  return id;
}
