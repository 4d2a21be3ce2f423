import { answerTo } from '../rows/requests.ts';
import { CALLER, emailOf, type Shape } from '../world/shape.ts';
import { collectionsWith, type Rule } from './collections.ts';
import { signedIn, type Pocketbase } from './process.ts';
import { entriesOf, PASSWORD, userEntry, type Entry } from './records.ts';

/** Tokens. */
export interface Tokens {
  /** Of the caller of the world. */
  readonly caller: string;
  /** Of a user who is no member. */
  readonly stranger: string;
}

const BATCH = 250;

/** Makes the collections and fills them with a world. */
export async function seed({ url, token }: Pocketbase, shape: Shape, rule: Rule): Promise<Tokens> {
  const send = (method: string, path: string, body: object) => answerTo(url, { method, path, token, body });
  // Zero days: no request is written down, which is done by default.
  const batch = { enabled: true, maxRequests: BATCH, timeout: 60 };
  await send('PATCH', '/api/settings', { batch, logs: { maxDays: 0 } });
  await send('PUT', '/api/collections/import', { collections: collectionsWith(rule) });

  const stranger = emailOf(shape.world, shape.members);
  const entries: Entry[] = [userEntry('Stranger', stranger)];
  for await (const entry of entriesOf(shape)) entries.push(entry);
  for (let from = 0; from < entries.length; from += BATCH) {
    const requests = entries
      .slice(from, from + BATCH)
      .map(({ collection, body }) => ({ method: 'POST', url: `/api/collections/${collection}/records`, body }));
    await send('POST', '/api/batch', { requests });
  }
  const signIn = (identity: string) => signedIn(url, 'users', { identity, password: PASSWORD });
  return { caller: await signIn(emailOf(shape.world, CALLER)), stranger: await signIn(stranger) };
}
