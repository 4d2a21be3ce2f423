import { expect } from 'chai';
import { createHttpApp } from '../../../adapters/http/index.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { Session } from '../../../core/session.ts';
import { useCases } from '../../../core/use-cases.ts';
import { administrator, role, type Expect, type Outcome, type Principal } from './expectation.ts';
import { table } from './table.ts';
import { newSampleService, type PersonName, type SampleService } from './sample-service.ts';
import { ROLES, setUp, standingIn, stranger } from './authorisation-case.ts';

/** Whole workspaces and events are streams, and so are no operations; what looks after a store is the operator's. */
const OUTSIDE_THE_TABLE = [
  'changes.snapshot',
  'changes.watch',
  'doctor.check',
  'exports.workspace',
  'imports.workspace',
];

const EVENTS = 'text/event-stream';

const STATUS: Readonly<Partial<Record<Outcome, number>>> = {
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  // An import that may begin: what is sent is no export.
  invalid: 400,
};

describe('who may do what else', () => {
  let sample: SampleService;
  before(async () => {
    sample = await newSampleService();
  });

  it('leaves no use case out', () => {
    const names = Object.entries(useCases).flatMap(([noun, verbs]) =>
      Object.keys(verbs).map((verb) => `${noun}.${verb}`),
    );
    expect([...table.keys(), ...OUTSIDE_THE_TABLE].sort()).to.deep.equal(names.sort());
  });

  // export a workspace: Owner; import one: service administrator; a snapshot, and following: any member
  const mayTake: Expect = role(10);
  const mayExport: Expect = role(40);
  const mayImport: Expect = (who) => (administrator(who) === 'ok' ? 'invalid' : 'forbidden');

  const mayFollow: Expect = role(10);

  async function overHttp(method: string, path: string, token: string | null, accept = '*/*'): Promise<number> {
    const { engine, identity } = sample.espalier;
    const app = createHttpApp({ engine, identity, ready: () => Promise.resolve() });
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
    const headers = { ...authorization, accept, 'content-type': 'application/x-ndjson' };
    const body = method === 'POST' ? { body: '{}\n' } : {};
    const response = await app.fetch(new Request(`http://localhost${path}`, { method, headers, ...body }));
    await response.body?.cancel();
    return response.status;
  }

  /** Ends as soon as it has begun. */
  async function follow(session: Session, workspaceId: string): Promise<void> {
    const stop = new AbortController();
    const events = session.changes.watch({ workspaceId, signal: stop.signal }, { onCursor: () => stop.abort() });
    for await (const event of events) expect(event).to.equal(null);
  }

  async function inProcess(call: Promise<unknown>): Promise<string> {
    try {
      await call;
      return 'ok';
    } catch (error) {
      if (error instanceof EspalierError) return error.code === 'invalid-input' ? 'invalid' : error.code;
      throw error;
    }
  }

  async function expectEverywhere(who: PersonName, principal: Principal | null, what: string): Promise<void> {
    const { token, session } = sample.people[who];
    const { workspaceId } = sample.acme.at;
    const before = sample.store.state();
    const outcomes = [mayExport, mayImport, mayTake, mayFollow].map((rule) =>
      principal === null ? 'unauthenticated' : rule(principal),
    );
    const status = outcomes.map((outcome) => STATUS[outcome as Outcome] ?? 200);
    expect(await overHttp('GET', `/api/workspace/${workspaceId}/export`, token), `${what} exports`).to.equal(status[0]);
    expect(await overHttp('POST', '/api/import', token), `${what} imports`).to.equal(status[1]);
    expect(await overHttp('GET', `/api/workspace/${workspaceId}/snapshot`, token), `${what} reads`).to.equal(status[2]);
    const changes = `/api/workspace/${workspaceId}/changes`;
    expect(await overHttp('GET', changes, token, EVENTS), `${what} follows`).to.equal(status[3]);
    const records = (async function* none() {})();
    const calls = [
      session.exports.workspace({ workspaceId, sink: () => {} }),
      session.imports.workspace({ records }),
      session.changes.snapshot({ workspaceId }).next(),
      follow(session, workspaceId),
    ];
    expect(await Promise.all(calls.map(inProcess)), what).to.deep.equal(outcomes);
    expect(sample.store.state(), what).to.equal(before);
  }

  it('exports for owners, imports for service administrators, snapshots and events for members', async () => {
    for (const who of ['outsider', 'former', 'root'] as const)
      await expectEverywhere(who, stranger(who === 'root'), who);
    await expectEverywhere('disabled', null, 'disabled');
    for (const given of ROLES) {
      const place = { role: given, level: 400, way: 'here' } as const;
      await setUp(sample, place);
      await expectEverywhere('actor', standingIn(place), `role ${given}`);
      sample.store.rewind(sample.start);
    }
  });

  it('nothing for nobody, and none of what is not there', async () => {
    const at = `/api/workspace/${sample.acme.at.workspaceId}/export`;
    const changes = `/api/workspace/${sample.acme.at.workspaceId}/changes`;
    for (const token of [null, ...Object.values(sample.badTokens)]) {
      expect(await overHttp('GET', at, token)).to.equal(401);
      expect(await overHttp('GET', at.replace('export', 'snapshot'), token)).to.equal(401);
      expect(await overHttp('GET', changes, token, EVENTS)).to.equal(401);
      expect(await overHttp('POST', '/api/import', token)).to.equal(401);
    }
    const { token } = sample.people.keeper;
    for (const id of [sample.foreign.workspaceId, '00000000-0000-7000-8000-000000000000', 'no-id', '%00']) {
      expect(await overHttp('GET', `/api/workspace/${id}/export`, token), id).to.equal(404);
      expect(await overHttp('GET', `/api/workspace/${id}/snapshot`, token), id).to.equal(404);
      expect(await overHttp('GET', `/api/workspace/${id}/changes`, token, EVENTS), id).to.equal(404);
    }
  });
});
