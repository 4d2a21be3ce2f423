import { hasBody, operations, pathFields, type Operation, type UseCaseName } from '../../../adapters/schemas/index.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { Session } from '../../../core/session.ts';
import { createHttpApp, type HttpApp } from '../../../adapters/http/index.ts';
import { oracle } from '../property/oracle.ts';
import type { Outcome, Place, Principal } from './expectation.ts';
import type { SampleService } from './sample-service.ts';

/** How a request ended, and everything it told. */
export interface Ending {
  readonly outcome: Outcome | `other: ${string}`;
  /** Status, headers and body, but for what differs from request to request. */
  readonly told: string;
}

export const rows: ReadonlyMap<UseCaseName, Operation> = new Map(operations.map((one) => [one.useCase, one]));

export type Input = Readonly<Record<string, unknown>>;

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  unauthenticated: 'unauthenticated',
  forbidden: 'forbidden',
  'not-found': 'not-found',
  'unusable-reference': 'unusable',
  'invalid-input': 'invalid',
};

const CONFLICTS = ['already-member', 'count-mismatch', 'cursor-expired', 'hidden-content', 'owner-access'];

const STATUS: Readonly<Record<Outcome, readonly number[]>> = {
  ok: [200, 201, 204],
  invalid: [400],
  unauthenticated: [401],
  forbidden: [403],
  'not-found': [404],
  conflict: [409, 410, 412],
  unusable: [422],
};

export function outcomeOf(code: string): Ending['outcome'] {
  return OUTCOMES[code] ?? (CONFLICTS.includes(code) ? 'conflict' : `other: ${code}`);
}

export type Send = (useCase: UseCaseName, input: Input, authorization?: string) => Promise<Ending>;

/** The service of a sample, in process. */
export function serviceOf({ espalier }: SampleService): HttpApp {
  const { engine, identity } = espalier;
  return createHttpApp({ engine, identity, ready: () => Promise.resolve() });
}

/** Over HTTP. */
export function overHttp(app: HttpApp): Send {
  return async (useCase, input, authorization) => {
    const { method, path, body } = requestOf(rows.get(useCase)!, input);
    const response = await app.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          ...(authorization !== undefined && { authorization }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
      }),
    );
    const text = await response.text();
    const headers = [...response.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
    const code = response.ok ? '' : (JSON.parse(text) as { code: string }).code;
    const outcome = response.ok ? 'ok' : outcomeOf(code);
    const fits = outcome in STATUS && STATUS[outcome as Outcome].includes(response.status);
    return {
      outcome: fits ? outcome : `other: ${response.status} ${code}`,
      told: JSON.stringify([response.status, headers, text]),
    };
  };
}

function requestOf(row: Operation, input: Input) {
  const inPath = new Set(pathFields(row.path));
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(input[name === 'id' ? 'workspaceId' : name] as string),
  );
  const rest = Object.entries(input).filter(([name]) => !inPath.has(name));
  if (hasBody(row.method)) return { method: row.method, path, body: JSON.stringify(Object.fromEntries(rest)) };
  const pairs = rest.flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, String(one)]));
  const query = new URLSearchParams(pairs);
  return { method: row.method, path: rest.length === 0 ? path : `${path}?${query.toString()}` };
}

/** Through the library. */
export function throughLibrary(session: Session): (useCase: UseCaseName, input: Input) => Promise<Ending> {
  return async (useCase, input) => {
    const [noun, verb] = useCase.split('.');
    const call = (session as unknown as Record<string, Record<string, (given: Input) => Promise<unknown>>>)[noun!]![
      verb!
    ]!;
    try {
      const result = await call(input);
      return { outcome: 'ok', told: JSON.stringify(result) ?? '' };
    } catch (error) {
      if (!(error instanceof EspalierError)) throw error;
      return { outcome: outcomeOf(error.code), told: JSON.stringify([error.code, error.detail, error.errors]) };
    }
  };
}

export const ROLES = [10, 20, 30, 40] as const;
export const LEVELS = [0, 100, 200, 300, 400] as const;

/** Where a level comes from: set here, above, both and different, cut off by settings, or from the workspace. */
export const WAYS = ['here', 'inherited', 'both', 'cut', 'base'] as const;

export interface SetUp {
  readonly role: (typeof ROLES)[number];
  readonly level: (typeof LEVELS)[number];
  readonly way: (typeof WAYS)[number];
}

/** What stands above where something else stands here. */
const contrary = (level: number) => (level === 400 ? 0 : 400);

/** Brings the actor into a role and to a level; entries come first, since some roles could not be given them. */
export async function setUp(sample: SampleService, { role, level, way }: SetUp): Promise<void> {
  const { acme, people } = sample;
  const ada = people.ada.session;
  const grant = (pageId: string, access: number) =>
    ada.access.grant({ ...acme.at, pageId, memberId: acme.members.actor, access: access as 0 });
  for (const pageId of acme.here) {
    if (way === 'here' || way === 'both') await grant(pageId, level);
    if (way === 'cut') {
      await ada.access.changeSettings({ ...acme.at, pageId, inherit: false, defaultAccess: level });
    }
  }
  if (way === 'inherited') await grant(acme.above, level);
  if (way === 'both' || way === 'cut') await grant(acme.above, contrary(level));
  if (way === 'base') await ada.workspaces.update({ ...acme.at, defaultAccess: level });
  await ada.members.update({ ...acme.at, memberId: acme.members.actor, role });
}

/** The same, as the oracle of the access rules tells it. */
export function standingIn({ role, level, way }: SetUp): Principal {
  const own = (access?: number) => new Map(access === undefined ? [] : [[0, { level: access as 0, membership: 1 }]]);
  const hasEntry = way === 'here' || way === 'both';
  const above = way === 'inherited' ? level : way === 'both' || way === 'cut' ? contrary(level) : undefined;
  const open = { inherit: true, defaultAccess: 0 as const };
  const here = { inherit: way !== 'cut', defaultAccess: level, entries: own(hasEntry ? level : undefined) };
  const world = {
    defaultAccess: way === 'base' ? level : (300 as const),
    members: [{ role, active: true, disabled: false, membership: 1 }],
    pages: [
      { ...open, parent: null, entries: own(above) },
      { ...here, parent: 0 },
      { ...open, parent: null, entries: own() },
      { ...open, parent: null, entries: own(400) },
    ],
  };
  const at: Readonly<Record<Place, number>> = { above: 0, here: 1, elsewhere: 2, mine: 3 };
  const base = role >= 30 ? 400 : role === 20 ? world.defaultAccess : 0;
  return { role, administrator: false, base, hasEntry, level: (place) => oracle(world, 0, at[place]) };
}

/** Signed in, and no member of anything here. */
export function stranger(administrator: boolean): Principal {
  return { role: 0, administrator, base: 0, hasEntry: false, level: () => 0 };
}
