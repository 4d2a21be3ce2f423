import type { Espalier } from '../../adapters/service/index.ts';
import { EspalierError } from '../../core/kernel/errors.ts';

export interface FirstAdministrator {
  readonly email: string;
  /** The secret. Never shown again. */
  readonly token: string;
}

/** On an empty store: a service administrator with a token. Null where there are users already. */
export async function firstAdministrator(espalier: Espalier, email: string): Promise<FirstAdministrator | null> {
  const { items } = await espalier.users.list({ limit: 1 });
  if (items.length > 0) return null;
  try {
    const user = await espalier.users.create({ name: 'Administrator', email, administrator: true });
    const { token } = await espalier.tokens.createFor({ userId: user.id, name: 'first start' });
    return { email: user.email, token };
  } catch (error) {
    // Another process on the same store was a moment earlier.
    if (error instanceof EspalierError && error.code === 'email-taken') return null;
    throw error;
  }
}
