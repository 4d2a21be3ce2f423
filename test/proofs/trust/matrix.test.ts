import { assert, expect } from 'chai';
import type { UseCaseName } from '../../../adapters/schemas/index.ts';
import type { TreeSnapshot } from '../../../adapters/store-memory/tree.ts';
import { firstSeed } from '../../contract/random.ts';
import type { Principal } from './expectation.ts';
import type { Case, Row } from './row.ts';
import { commandLines, WITHOUT_A_LINE } from './command-lines.ts';
import { idFields } from './schema-ids.ts';
import { foreignIdsOf } from './foreign-ids.ts';
import { table } from './table.ts';
import { SERVICE, throughCli } from './through-cli.ts';
import { MARK, newSampleService, type PersonName, type SampleService } from './sample-service.ts';
import {
  LEVELS,
  overHttp,
  ROLES,
  rows,
  serviceOf,
  setUp,
  standingIn,
  stranger,
  throughLibrary,
  WAYS,
  type Ending,
  type Input,
  type Send,
} from './authorisation-case.ts';

type Way = 'http' | 'library' | 'cli';

/** Null: there is no way to ask that. */
type Asking = (useCase: UseCaseName, input: Input) => Promise<Ending | null>;

/** Who is signed in, but no member. */
const STRANGERS: readonly PersonName[] = ['outsider', 'former', 'root'];

/** Where each role is tried by a JSON Web Token too: a level that allows some of what there is, and not all. */
const BY_JWT = ', 200 here';

/** One of so many cells is tried by a command too, which takes longest: others with another seed. */
const TYPED = 4;
const SEED = firstSeed();

/** A command that looks for what was given among what there is tells what was given. */
const TELLS_WHAT_WAS_GIVEN = /There is no |Task #\d+ (?:has no|does not have|is not) /;

describe('the authorisation matrix', function () {
  this.timeout(60_000);
  let sample: SampleService;
  let http: Send;
  let setUps: readonly { readonly title: string; readonly principal: Principal; readonly state: TreeSnapshot }[];
  const cells: Record<Way, number> = { http: 0, library: 0, cli: 0 };
  /** The one answer to everything that is not there, by way of asking. */
  const nothingHere = new Map<string, string>();

  const { fetch } = globalThis;

  before(async () => {
    const without = [...rows.keys()].filter((useCase) => !table.has(useCase));
    expect(without, 'operations without a row in the table: say who may do them').to.deep.equal([]);
    sample = await newSampleService();
    const service = serviceOf(sample);
    http = overHttp(service);
    globalThis.fetch = (url, init) => {
      assert((url as string).startsWith(SERVICE));
      return Promise.resolve(service.fetch(new Request(url as string, init)));
    };
    const made = [];
    for (const role of ROLES) {
      for (const level of LEVELS) {
        for (const way of WAYS) {
          const given = { role, level, way };
          await setUp(sample, given);
          made.push({
            title: `role ${role}, ${level} ${way}`,
            principal: standingIn(given),
            state: sample.store.state(),
          });
          sample.store.rewind(sample.start);
        }
      }
    }
    setUps = made;
  });

  after(() => {
    globalThis.fetch = fetch;
    const each = Object.entries(cells).map(([way, count]) => `${count} ${way}`);
    const all = Object.values(cells).reduce((sum, count) => sum + count, 0);
    process.stdout.write(`      ${all} cells of the authorisation matrix: ${each.join(', ')}\n`);
  });

  /** Every way to ask something as somebody. */
  const ways = (who: PersonName): readonly [Way, Asking][] => [
    ['http', (useCase, input) => http(useCase, input, `Bearer ${sample.people[who].token}`)],
    ['library', throughLibrary(sample.people[who].session)],
    ['cli', (useCase, input) => throughCli(useCase, input, sample.people[who].token)],
  ];

  /** Asks, sees whether what was refused left a trace, and undoes what was not. @returns what is wrong */
  async function tried(
    way: Way,
    ask: () => Promise<Ending | null>,
    expected: string | readonly string[],
    what: string,
  ): Promise<{ readonly told: string; readonly wrong: readonly string[] }> {
    const before = sample.store.state();
    const ending = await ask();
    if (ending === null) return { told: '', wrong: [] };
    cells[way] += 1;
    const { outcome, told } = ending;
    if (outcome === 'ok') await sample.espalier.idle();
    const touched = sample.store.state() !== before;
    sample.store.rewind(before);
    const wrong: string[] = [];
    const fail = (text: string) => wrong.push(`${way}: ${what}: ${text}; told ${told.slice(0, 300)}`);
    if (![expected].flat().includes(outcome)) fail(`expected ${String(expected)}, got ${outcome}`);
    if (outcome !== 'ok' && touched) fail('refused, yet something was written');
    if (outcome === 'not-found' && !(way === 'cli' && TELLS_WHAT_WAS_GIVEN.test(told))) {
      // A command for several records tells first how many it has written.
      const answer = told.slice(Math.max(0, told.indexOf('espalier: ')));
      if (!nothingHere.has(way)) nothingHere.set(way, answer);
      if (answer !== nothingHere.get(way)) fail('differs from the answer to what is not there');
    }
    return { told, wrong };
  }

  /** Whether an answer holds the name or id of what has the levels under trial. */
  const tells = (told: string) => [MARK, ...sample.acme.here].some((mark) => told.includes(mark));

  const each = (row: Row, test: (title: string, one: Case) => Promise<readonly string[]>) => async () => {
    const wrong: string[] = [];
    for (const [title, one] of Object.entries(row.cases)) wrong.push(...(await test(title, one)));
    expect(wrong.slice(0, 10), `${wrong.length} cells are wrong`).to.deep.equal([]);
  };

  it('has a row for every operation, and an operation for every row', () => {
    expect([...table.keys()].sort()).to.deep.equal([...rows.keys()].sort());
  });

  it('has a command for every operation', () => {
    expect([...Object.keys(commandLines), ...WITHOUT_A_LINE].sort()).to.deep.equal([...rows.keys()].sort());
    for (const [useCase, { cases }] of table) {
      if (WITHOUT_A_LINE.includes(useCase)) continue;
      const typed = Object.values(cases).map(({ input }) => commandLines[useCase]!(input(sample)));
      assert(
        typed.some((one) => one !== null),
        `${useCase}: no case of it can be typed`,
      );
    }
  });

  for (const [useCase, operation] of rows) {
    const row = table.get(useCase);

    it(`${useCase}: the row names every id there is, and each is tried`, () => {
      assert(row, 'an operation without a row');
      expect([...row.ids].sort()).to.deep.equal([...idFields(operation)].sort());
      const swapped = Object.values(row.cases).flatMap((one) => foreignIdsOf(sample, useCase, row, one));
      expect([...new Set(swapped.map(({ field }) => field))].sort()).to.deep.equal([...row.ids].sort());
    });

    if (row === undefined) continue;

    it(
      `${useCase}: nobody without a valid token`,
      each(row, async (title, { input }) => {
        const { malformed, ...tokens } = sample.badTokens;
        const bearers = [malformed, ...Object.values(tokens), sample.people.disabled.token].map(
          (one) => `Bearer ${one}`,
        );
        const sent = [undefined, 'Bearer', `Basic ${sample.people.ada.token}`, ...bearers];
        const wrong: string[] = [];
        for (const given of sent) {
          const ask = () => http(useCase, input(sample), given);
          wrong.push(...(await tried('http', ask, 'unauthenticated', `${title}, ${given}`)).wrong);
        }
        for (const token of [...Object.values(sample.badTokens), sample.people.disabled.token]) {
          const ask = () => throughCli(useCase, input(sample), token);
          wrong.push(...(await tried('cli', ask, 'unauthenticated', `${title}, ${token}`)).wrong);
        }
        for (const id of [sample.people.disabled.id, sample.acme.at.workspaceId, 'nobody']) {
          const ask = () => throughLibrary(sample.espalier.as(id))(useCase, input(sample));
          wrong.push(...(await tried('library', ask, 'unauthenticated', `${title}, user ${id}`)).wrong);
        }
        return wrong;
      }),
    );

    it(
      `${useCase}: by a JSON Web Token as by any other`,
      each(row, async (title, { input, expect }) => {
        const wrong: string[] = [];
        const ask = (jwt: string) => () => http(useCase, input(sample), `Bearer ${jwt}`);
        for (const [what, jwt] of [
          ...Object.entries(sample.badJwts),
          ['disabled', sample.people.disabled.jwt] as const,
        ]) {
          wrong.push(...(await tried('http', ask(jwt), 'unauthenticated', `${title}, ${what} JWT`)).wrong);
        }
        for (const who of STRANGERS) {
          const expected = expect(stranger(who === 'root'));
          const cell = await tried('http', ask(sample.people[who].jwt), expected, `${title}, ${who} by JWT`);
          wrong.push(...cell.wrong);
          if (tells(cell.told)) wrong.push(`http: ${title}, ${who} by JWT: tells ${cell.told.slice(0, 300)}`);
        }
        for (const { title: place, principal, state } of setUps) {
          // One level is enough: what a role and a level may is tried below, and who signs in how changes nothing.
          if (!place.endsWith(BY_JWT)) continue;
          sample.store.rewind(state);
          const what = `${title}, ${place} by JWT`;
          wrong.push(...(await tried('http', ask(sample.people.actor.jwt), expect(principal), what)).wrong);
        }
        sample.store.rewind(sample.start);
        return wrong;
      }),
    );

    it(
      `${useCase}: who is no member`,
      each(row, async (title, { input, expect }) => {
        const wrong: string[] = [];
        for (const who of STRANGERS) {
          for (const [way, ask] of ways(who)) {
            const expected = expect(stranger(who === 'root'));
            const cell = await tried(way, () => ask(useCase, input(sample)), expected, `${title}, ${who}`);
            wrong.push(...cell.wrong);
            if (tells(cell.told)) wrong.push(`${way}: ${title}, ${who}: tells ${cell.told.slice(0, 300)}`);
          }
        }
        return wrong;
      }),
    );

    it(
      `${useCase}: every role at every level`,
      each(row, async (title, { input, expect, byLevel }) => {
        const wrong: string[] = [];
        for (const [n, { title: place, principal, state }] of setUps.entries()) {
          if (!byLevel && !/, (?:0|400) (?:here|inherited)$/.test(place)) continue;
          for (const [way, ask] of ways('actor')) {
            if (way === 'cli' && (n + SEED) % TYPED !== 0) continue;
            sample.store.rewind(state);
            const cell = await tried(way, () => ask(useCase, input(sample)), expect(principal), `${title}, ${place}`);
            wrong.push(...cell.wrong);
            const seen = Math.max(principal.level('here'), principal.level('above'));
            if (seen === 0 && tells(cell.told)) {
              wrong.push(`${way}: ${title}, ${place}: tells what is hidden: ${cell.told.slice(0, 2000)}`);
            }
          }
        }
        sample.store.rewind(sample.start);
        return wrong;
      }),
    );

    if (row.ids.length === 0) continue;

    it(
      `${useCase}: every id swapped`,
      each(row, async (title, one) => {
        const wrong: string[] = [];
        const answers = new Map<string, string>();
        for (const { pointer, variant, id, input, outcome } of foreignIdsOf(sample, useCase, row, one)) {
          for (const [way, ask] of ways('keeper')) {
            const what = `${title}, ${variant} ${pointer}`;
            // To a command it is a name, which nothing has.
            const isName = way === 'cli' && variant === 'malformed';
            const expected = isName ? ['not-found', 'invalid', 'unusable'] : outcome;
            const cell = await tried(way, () => ask(useCase, input), expected, what);
            wrong.push(...cell.wrong);
            const isTold = outcome === 'not-found' && TELLS_WHAT_WAS_GIVEN.test(cell.told);
            if (isName || !(outcome === 'unusable' || isTold)) continue;
            const key = `${way} ${pointer} ${outcome}`;
            const told = way === 'cli' ? cell.told.replaceAll(id, 'ID') : cell.told;
            const before = answers.get(key);
            if (before !== undefined && before !== told) wrong.push(`${way}: ${what}: ${told} differs from ${before}`);
            answers.set(key, told);
          }
        }
        return wrong;
      }),
    );
  }
});
