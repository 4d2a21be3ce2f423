// The HTTP service with your own way of telling who somebody is: here HTTP Basic against a directory.
// Run it: node dist/examples/custom-identity.js
import { scryptSync, timingSafeEqual } from 'node:crypto';
import { createEspalier } from 'espalier';
import { createHttpApp, type Identity } from 'espalier/http';
import { memoryStore } from 'espalier/memory';

const SALT = 'of this example';
const digest = (password: string) => scryptSync(password, SALT, 32);

/** Stands for whatever knows your people: LDAP, a table, another service. */
class Directory {
  readonly #people = new Map<string, { readonly password: Buffer; readonly userId: string }>();

  add(name: string, password: string, userId: string): void {
    this.#people.set(name, { password: digest(password), userId });
  }

  userOf(name: string, password: string): string | null {
    const person = this.#people.get(name);
    return person !== undefined && timingSafeEqual(person.password, digest(password)) ? person.userId : null;
  }
}

/** Tells who it is and nothing more: whether they still exist, and what they may do, the engine decides. */
function basic(directory: Directory): Identity {
  return {
    authenticate(authorization) {
      const encoded = /^Basic +(\S+)$/i.exec(authorization ?? '')?.[1];
      if (encoded === undefined) return Promise.resolve(null);
      const [name, ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
      const userId = directory.userOf(name!, password.join(':'));
      return Promise.resolve(userId === null ? null : { kind: 'user', userId });
    },
  };
}

const directory = new Directory();
const espalier = createEspalier({ store: memoryStore(), identity: basic(directory) });
const ada = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
directory.add('ada', 'enchantress of numbers', ada.id);

// The service as a function from request to response; `startService` of the same module makes it listen.
const { engine, identity } = espalier;
const app = createHttpApp({ engine, identity, ready: () => espalier.store.ready() });

async function ask(name: string, password: string): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
  const response = await app.fetch(new Request('http://localhost/api/me', { headers: { authorization } }));
  const body = (await response.json()) as { name?: string; code?: string };
  console.log(`${response.status} ${body.name ?? body.code}`);
}

await ask('ada', 'enchantress of numbers');
await ask('ada', 'a guess');
await espalier.close();
