import { createClient } from '../../../adapters/client/index.ts';
import { createHttpApp } from '../../../adapters/http/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import type { Call } from '../../../core/ports/context.ts';
import type { Engine } from '../../../core/engine.ts';
import type { Store } from '../../../core/ports/store.ts';
import type { Step } from './sequence/sequence-state.ts';
import { runSequence, sequenceEngine, type Watch } from './sequence/sequences.ts';
import { watchAccess } from './follow/watch-access.ts';
import { firstSeed } from '../../contract/random.ts';

/** ESPALIER_CANARIES: how many random sequences; ESPALIER_SEED: the first of them. */
const SEQUENCES = Number(process.env['ESPALIER_CANARIES'] ?? 6);
const SEED = firstSeed();
const LENGTH = 120;

const BEARER = 'Bearer ';

/** The engine as the service gives it, and all that was sent back for the last call. */
function served(store: Store): { engine: Engine; last: () => string } {
  const inside = sequenceEngine(store);
  const app = createHttpApp({
    engine: inside,
    // Users sign in by their id here.
    identity: {
      authenticate: async (given) =>
        given?.startsWith(BEARER) === true ? { kind: 'user', userId: given.slice(BEARER.length) } : null,
    },
    ready: () => Promise.resolve(),
  });
  let last = '';
  const asked = async (url: unknown, init?: RequestInit): Promise<Response> => {
    const response = await app.fetch(new Request(url as string, init));
    const headers = JSON.stringify([...response.headers]);
    const cursors = [...headers.matchAll(/cursor=([\w-]+)/g)].map(([, text]) => Buffer.from(text!, 'base64url'));
    // The address comes back in Link and Location, and tells its sender nothing.
    last = [response.status, headers.replaceAll(String(url).split('?')[0]!, ''), ...cursors].join(' ');
    last += await response.clone().text();
    return response;
  };
  const verbs = (noun: string, names: readonly string[]) =>
    Object.fromEntries(
      names.map((verb) => [
        verb,
        ({ caller, ifVersion }: Call, input: unknown) => {
          const [service, more] = [
            { url: 'http://espalier.test', fetch: asked, retries: 0 },
            ifVersion && { ifVersion },
          ];
          if (caller.kind !== 'user') return callOf(inside, noun, verb)({ caller }, input);
          return callOf(createClient({ ...service, token: caller.userId }), noun, verb)(input, { ...more });
        },
      ]),
    );
  const engine = Object.fromEntries(Object.entries(inside).map(([noun, all]) => [noun, verbs(noun, Object.keys(all))]));
  return { engine: engine as Engine, last: () => last };
}

function callOf(from: object, noun: string, verb: string): (...given: unknown[]) => Promise<unknown> {
  return (from as Record<string, Record<string, (...given: unknown[]) => Promise<unknown>>>)[noun]![verb]!;
}

/** All that one can list in a workspace without knowing what is there. */
const LISTS: readonly (readonly [noun: string, verb: string, input: object])[] = [
  ['workspaces', 'get', {}],
  ['members', 'list', { former: true }],
  ['invitations', 'list', { limit: 1 }],
  ['pages', 'list', {}],
  ['pages', 'list', { expand: ['parent', 'createdBy'] }],
  ['boards', 'list', {}],
  ['tasks', 'list', { count: true, limit: 1, sort: ['title'] }],
  ['tasks', 'list', { q: 'Name', count: true, sort: ['-position'] }],
  ['tasks', 'list', { expand: ['status', 'board', 'tags', 'assignees', 'createdBy'] }],
  ['audit', 'list', { limit: 500, expand: ['user'] }],
];

describe('what the service sends back', function () {
  this.timeout(0);

  it('holds no name and no id of what the caller may not see: bodies, headers, cursors, errors', async () => {
    for (let seed = SEED; seed < SEED + SEQUENCES; seed += 1) {
      const store = memoryStore();
      const { engine, last } = served(store);
      const access = watchAccess(store);
      const watch: Watch = (step, run) => access(step, async () => ({ ...(await run()), sent: last() }));
      try {
        await runSequence(engine, seed, LENGTH, watch);
        await listAll(store, engine, watch);
      } catch (error) {
        throw new Error(`Failed with ESPALIER_SEED=${seed}: ${String(error)}`, { cause: error });
      }
    }
  });
});

async function listAll(store: Store, engine: Engine, watch: Watch): Promise<void> {
  const [users, workspaces] = await store.read(async (tx) => [
    await tx.users.list('all', {}, { limit: 100 }),
    await tx.workspaces.list('all', {}, { limit: 100 }),
  ]);
  for (const { id: userId } of users) {
    for (const { id: workspaceId } of workspaces) {
      for (const [noun, verb, more] of LISTS) {
        const input = { workspaceId, ...more };
        const step: Step = { userId, noun, verb, input };
        const ask = () => callOf(engine, noun, verb)({ caller: { kind: 'user', userId } }, input);
        // However it ends: what was sent is looked at.
        await watch(step, () =>
          ask().then(
            () => ({ value: null }),
            () => ({ value: null }),
          ),
        );
      }
    }
  }
}
