import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { recordsFrom } from '../../../../adapters/formats/jsonl/index.ts';
import { EXAMPLE_IDS } from '../../../../adapters/schemas/examples.ts';
import { createEspalier, type Parts } from '../../../../adapters/service/index.ts';
import type { TreeSnapshot } from '../../../../adapters/store-memory/tree.ts';
import type { Store } from '../../../../core/ports/store.ts';
import type { Session } from '../../../../core/session.ts';
import { rewindStore } from '../../../fixtures/store/rewind-store.ts';
import { newApi, type Api, type ApiParts } from '../support.ts';

const ACME = fileURLToPath(new URL('../../../../../examples/acme.jsonl', import.meta.url));

export type Sender = 'ada' | 'ben' | 'cleo' | 'eve';

/** A service that was started with `--load examples/acme.jsonl`, whose ids and times are always the same. */
export interface ExampleService extends Api {
  /** Ada is its administrator. Eve is in no workspace. */
  readonly tokens: Readonly<Record<Sender, string>>;
  /** Their sessions, in process. */
  readonly as: Readonly<Record<Sender, Session>>;
  /** Ids that are made next, in place of others. */
  readonly next: { readonly ids: string[]; readonly secrets: string[] };
}

/** What the engine of the service is made with. */
export type ExampleEngine = Partial<Pick<Parts, 'identity' | 'impersonation' | 'guards'>>;

/** What every such service starts with. */
interface Start {
  readonly state: TreeSnapshot;
  readonly users: Readonly<Record<Sender, string>>;
  readonly tokens: Readonly<Record<Sender, string>>;
  /** How many ids are made. */
  readonly made: number;
}

/** Made once. */
let start: Promise<Start> | undefined;

/** @param around a store in place of the one that it is given */
export async function newExampleService(
  parts: Omit<ApiParts, 'espalier'> = {},
  engine: ExampleEngine = {},
  around = (store: Store): Store => store,
): Promise<ExampleService> {
  const { state, users, tokens, made } = await (start ??= started());
  const next: ExampleService['next'] = { ids: [], secrets: [] };
  const ids = countedIds(next, made);
  const espalier = createEspalier({ store: around(rewindStore(state)), ...engine, clock: { now: () => NOW }, ids });
  const as = Object.fromEntries(Object.entries(users).map(([who, userId]) => [who, espalier.as(userId)]));
  const api = await newApi('in process', { ...parts, espalier });
  return { ...api, tokens, as: as as ExampleService['as'], next };
}

async function started(): Promise<Start> {
  const store = rewindStore();
  const ids = countedIds({ ids: [], secrets: [] }, 0);
  const espalier = createEspalier({ store, clock: { now: () => NOW }, ids });
  const admin = await espalier.users.create({
    name: 'Administrator',
    email: 'admin@espalier.localhost',
    administrator: true,
  });
  await espalier.imports.workspace({ records: recordsFrom(createReadStream(ACME)) });
  const eve = await espalier.users.create({ name: 'Eve', email: 'eve@example.org' });
  const users = { ada: admin.id, ben: EXAMPLE_IDS.benAsUser, cleo: EXAMPLE_IDS.cleoAsUser, eve: eve.id };
  const tokens: Record<string, string> = {};
  for (const [who, userId] of Object.entries(users)) {
    tokens[who] = (await espalier.tokens.createFor({ userId, name: 'laptop' })).token;
  }
  // It is noted within the minute that Ada is active: no answer depends on when that is written.
  await espalier.as(users.ada).pages.list({ workspaceId: 'acme' });
  await espalier.store.write(async () => undefined);
  await espalier.idle();
  return { state: store.state(), users, tokens: tokens as Start['tokens'], made: ids.made() };
}

const NOW = Date.parse('2026-11-22T10:30:00.000Z');

/** @param made how many are made before */
function countedIds({ ids, secrets }: ExampleService['next'], made: number) {
  let count = made;
  const id = (version: string, first: string[]) => {
    const given = first.shift();
    if (given !== undefined) return given;
    count += 1;
    const digest = createHash('sha256').update(`${version} ${count}`).digest('hex');
    const low = count.toString(16).padStart(4, '0');
    return `${MADE}-${low}-${version}${digest.slice(0, 3)}-8${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
  };
  return { next: () => id('7', ids), secret: () => id('4', secrets), made: () => count };
}

/** How ids begin that are made in order; how many others are made before is the engine's own affair. */
const MADE = '01a202ce';

/** In lines of JSON: cursors begin with what is made at random, and checksums depend on it. */
const RANDOM = /\\"(cursor|sha256)\\":\\"[\w.-]+/g;

/** An answer in which each made id is replaced by its position among the made ids of the answer. */
export function withoutMadeIds(answer: unknown): unknown {
  const found = new Map<string, string>();
  const nth = (id: string) => found.get(id) ?? found.set(id, `id ${found.size + 1}`).get(id)!;
  const text = JSON.stringify(answer).replaceAll(new RegExp(`${MADE}-[0-9a-f]{4}-[0-9a-f-]{22}`, 'g'), nth);
  return JSON.parse(text.replaceAll(RANDOM, String.raw`\"$1\":\"random`));
}
