import type { Espalier } from '../../adapters/service/index.ts';
import { EspalierError } from '../../core/kernel/errors.ts';

export interface FirstAdministrator {
  readonly email: string;
  /** The secret, shown once. */
  readonly token: string;
}

/** Creates a service administrator with a token on an empty store. Null if there are users already. */
export async function firstAdministrator(espalier: Espalier, email: string): Promise<FirstAdministrator | null> {
  const { items } = await espalier.users.list({ limit: 1 });
  if (items.length > 0) return null;
  try {
    const user = await espalier.users.create({ name: 'Administrator', email, administrator: true });
    const { token } = await espalier.tokens.createFor({ userId: user.id, name: 'first start' });
    return { email: user.email, token };
  } catch (error) {
    // Another process on the same store has just created them.
    if (error instanceof EspalierError && error.code === 'email-taken') return null;
    throw error;
  }
}
