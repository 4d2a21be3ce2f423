import { request as send } from 'node:http';
import { expect } from 'chai';
import { createClient, EspalierError } from '../../../../adapters/client/index.ts';
import { operations, pathFields, type Operation } from '../../../../adapters/schemas/index.ts';
import type { Session } from '../../../../core/session.ts';
import { ask, validRequests } from '../valid-requests.ts';
import { newSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { newApi, overBoth, pathOf, type Api } from '../support.ts';

const withIds = operations.filter(({ path }) => pathFields(path).length > 0);

/** The ids of a sample with another one in each place of a path in turn. */
function replaced({ path }: Operation, { ids }: SampleWorkspace, other: string): Readonly<Record<string, string>>[] {
  return pathFields(path).map((field) => ({ ...ids, [field]: other }));
}

/** What no refused request may change: the log of the workspace, and what belongs to none. */
async function stateOf({ espalier }: Api, { ada, ids: { workspaceId } }: SampleWorkspace): Promise<unknown> {
  const session = espalier.as(ada);
  let cursor = '';
  await session.workspaces.get({ workspaceId }, { onCursor: (now) => void (cursor = now) });
  const tokens = await session.tokens.list({});
  return [cursor, tokens.items.map(({ id }) => id), await session.users.list({}), await session.workspaces.list()];
}

describe('an id that no segment of a path can hold', () => {
  let api: Api;
  let sample: SampleWorkspace;
  let before: unknown;
  beforeEach(async () => {
    api = await newApi('through a socket');
    sample = await newSampleWorkspace(api);
    before = await stateOf(api, sample);
  });
  afterEach(() => api.close());

  /** The status of a request whose target is sent as it is. */
  function statusOf(row: Operation, path: string): Promise<number> {
    const { method, token, body } = ask(row, path, sample);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const content = body === undefined ? '' : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const length = { 'content-length': Buffer.byteLength(content) };
      send(api.url, { method, path, headers: { ...headers, ...length } }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode!));
      })
        .on('error', reject)
        .end(content);
    });
  }

  it('is at no address, however it is escaped', async () => {
    const escaped = ['', '.', '..', '%2e', '%2E%2e', '.%2E', '..\\', '%2e%2e?', '#x'];
    for (const row of withIds) {
      for (const text of escaped) {
        for (const ids of replaced(row, sample, text)) {
          const path = pathOf(row, ids);
          expect(await statusOf(row, path), `${row.method} ${path}`).to.equal(404);
        }
      }
      const absolute = `http://localhost${pathOf(row, sample.ids)}/..`;
      expect(await statusOf(row, absolute), `${row.method} ${absolute}`).to.equal(404);
    }
    expect(await stateOf(api, sample)).to.deep.equal(before);
  });

  it('is a part of a longer one, or of the query, as any text', async () => {
    const row = operations.find(({ useCase }) => useCase === 'workspaces.get')!;
    const path = `/api/workspace/${sample.ids.workspaceId}`;
    expect(await statusOf(row, path)).to.equal(200);
    for (const text of ['...', '..a', '%2e%2ea', '.a/', '%252e%252e']) {
      expect(await statusOf(row, `/api/workspace/${text}`), text).to.equal(404);
    }
    const list = operations.find(({ useCase }) => useCase === 'tasks.list')!;
    for (const other of [`/api\\workspace/${sample.ids.workspaceId}`, path.replaceAll('/', '\\').replace('\\', '/')]) {
      expect(await statusOf(row, other), other).to.equal(404);
    }
    for (const q of ['/..', '/../x', '/%2e%2e/', '\\..']) {
      expect(await statusOf(list, `${path}/task?q=${q}`), q).to.equal(200);
    }
  });

  it('is answered to the client as it is in process', async () => {
    const remote = createClient({ url: api.url, token: sample.ada.token });
    const local = api.espalier.as(sample.ada);
    for (const row of withIds) {
      const given = validRequests[row.useCase]!(sample).body;
      for (const id of ['', '.', '..', '%2e%2e', '/', '?', '\ud800']) {
        for (const ids of replaced(row, sample, id)) {
          const named = Object.fromEntries(pathFields(row.path).map((field) => [field, ids[field]]));
          const input = { ...given, ...named };
          const what = `${row.useCase} ${JSON.stringify(named)}`;
          expect(await refusalOf(remote, row, input), what).to.deep.equal(await refusalOf(local, row, input));
        }
      }
    }
    for (const id of [undefined, null, 7, ['..']]) {
      const taskId = id as never;
      const refused = await codeOf(remote.tasks.delete({ workspaceId: sample.ids.workspaceId, taskId }));
      expect(refused).to.deep.equal(['invalid-input', '/taskId']);
    }
    for (const workspaceId of ['', '..', '\ud800']) {
      const sink = () => Promise.resolve();
      const exported = (session: Session) => codeOf(session.exports.workspace({ workspaceId, sink }));
      expect(await exported(remote), workspaceId).to.deep.equal(await exported(local));
    }
    expect(await stateOf(api, sample)).to.deep.equal(before);
  });
});

overBoth('a path with a slash at its end', (open) => {
  it('is no address of an operation', async () => {
    const api = await open();
    const sample = await newSampleWorkspace(api);
    const before = await stateOf(api, sample);
    for (const row of operations) {
      const path = `${pathOf(row, sample.ids)}/`;
      // Neither is it in the OpenAPI document, to which other answers are held.
      const { status } = await api.open({ ...ask(row, path, sample), path });
      expect(status, `${row.method} ${path}`).to.equal(404);
    }
    expect(await stateOf(api, sample)).to.deep.equal(before);
  });
});

type Verbs = Readonly<Record<string, Readonly<Record<string, (input: object) => Promise<unknown>>>>>;

async function refusalOf(session: Session, { useCase }: Operation, input: object): Promise<unknown> {
  const [noun, verb] = useCase.split('.') as [string, string];
  return codeOf((session as unknown as Verbs)[noun]![verb]!(input));
}

/** The code of the error, and the fields at fault. */
function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'ok',
    (error: unknown) =>
      error instanceof EspalierError ? [error.code, ...new Set(error.errors.map(({ pointer }) => pointer))] : error,
  );
}
