import type { Context } from '../ports/context.ts';
import { read } from '../write/transaction.ts';
import type { ExternalIdentity } from '../model/user/external-identity.ts';
import type { Finding } from './finding.ts';

const CHUNK = 500;

/** Checks the external identities of users. */
export async function identityFindings(context: Context): Promise<Finding[]> {
  const found: Finding[] = [];
  for (let after: ExternalIdentity | null = null; ;) {
    const behind: ExternalIdentity | null = after;
    const { identities, users } = await read(context, async (tx) => {
      const some: readonly ExternalIdentity[] = await tx.identities.list('all', {}, { after: behind, limit: CHUNK });
      return { identities: some, users: await tx.users.many(some.map(({ userId }) => userId)) };
    });
    for (const { id, userId } of identities) {
      if (users.has(userId)) continue;
      found.push({ workspaceId: null, rule: 'identity', id, detail: `signs in a user who does not exist: ${userId}` });
    }
    if (identities.length < CHUNK) return found;
    after = identities.at(-1)!;
  }
}
