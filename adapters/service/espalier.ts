import 'reflect-metadata/lite';
import { Container } from 'inversify';
import type { Engine } from '../../core/engine.ts';
import { sessionOf, type Session } from '../../core/session.ts';
import type { Store } from '../../core/ports/store.ts';
import type { Identity } from '../../core/ports/identity.ts';
import { validated } from '../schemas/validate-engine.ts';
import { engineModule, identityModule, storeModule, systemModule, type Parts } from './modules.ts';
import { TOKENS } from './tokens.ts';

/** The engine on a store, in process. The nouns `users`, `tokens` and `imports` act as the operator. */
export interface Espalier extends Pick<Session, 'users' | 'tokens' | 'imports'> {
  /** A session on behalf of one user. */
  as(user: string | { readonly id: string }): Session;
  /** A session of the operator of the store. */
  readonly operator: Session;
  /** For adapters: every use case, with the caller as an argument; inputs are not validated. */
  readonly engine: Engine;
  readonly identity: Identity;
  readonly store: Store;
  /** Resolves when no background work is left. */
  idle(): Promise<void>;
  /** Ends background work and closes the store. May be called more than once. */
  close(): Promise<void>;
}

/**
 * Composes an engine, and resumes the background work that a crash has left.
 *
 * @example
 * const espalier = createEspalier({ store: memoryStore() });
 * const ada = espalier.as(await espalier.users.create({ name: 'Ada', email: 'ada@example.org' }));
 */
export function createEspalier(parts: Parts): Espalier {
  const container = compose(parts);
  const store = container.get(TOKENS.store);
  const engine = container.get(TOKENS.engine);
  const background = container.get(TOKENS.background);
  const checked = validated(engine);
  const operator = sessionOf(checked, { kind: 'operator' });
  background.wake();
  return {
    users: operator.users,
    tokens: operator.tokens,
    imports: operator.imports,
    operator,
    as: (user) => sessionOf(checked, { kind: 'user', userId: typeof user === 'string' ? user : user.id }),
    engine,
    identity: container.get(TOKENS.identity),
    store,
    idle: () => background.idle(),
    async close() {
      await background.stop();
      await store.close();
    },
  };
}

/** One container per engine, never per request. */
export function compose(parts: Parts): Container {
  const container = new Container();
  container.load(storeModule(parts.store), systemModule(parts), identityModule(parts.identity), engineModule(parts));
  return container;
}
