import { expect } from 'chai';
import { createEspalier, EspalierError, useCases, type Store } from '../../../../adapters/service/index.ts';
import { createMetrics } from '../../../../adapters/http/index.ts';
import { STATUS } from '../../../../adapters/http/response/problem.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { operations } from '../../../../adapters/schemas/index.ts';
import { HOSTILE_QUERIES, hostileTargets, ODD_TARGETS } from '../../../proofs/trust/hostile-requests.ts';
import { document } from '../openapi/conform.ts';
import { parseExposition, type Family } from './exposition.ts';
import { ask } from '../valid-requests.ts';
import { newSampleWorkspace } from '../sample-workspace.ts';
import { newApi, pathOf, type Api } from '../support.ts';

const OPERATION_IDS = Object.values(document.paths).flatMap((path) =>
  Object.values(path).map((operation) => (operation as unknown as { operationId: string }).operationId),
);
const USE_CASES = Object.entries(useCases).flatMap(([noun, verbs]) =>
  Object.keys(verbs).map((verb) => `${noun}.${verb}`),
);

/** Every word that a label of ours may hold. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  operation: [...OPERATION_IDS, 'none'],
  method: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'other'],
  status: ['2xx', '3xx', '4xx', '5xx'],
  use_case: USE_CASES,
  outcome: [...Object.keys(STATUS), 'ok', 'error', 'broken-off', 'refused'],
  kind: ['read', 'write'],
  reason: ['reconnect', 'unauthenticated', 'gone', 'client', 'error'],
  le: ['0.001', '0.0025', '0.005', '0.01', '0.025', '0.05', '0.1', '0.25', '0.5', '1', '2.5', '5', '+Inf'],
};

async function watchedApi(store: Store = memoryStore()): Promise<Api> {
  const metrics = createMetrics();
  const espalier = createEspalier({ store: metrics.instrumentStore(store) });
  return newApi('in process', { espalier, metrics });
}

async function read(api: Api, token: string): Promise<readonly Family[]> {
  const answer = await api.ask({ method: 'GET', path: '/metrics', token });
  expect(answer.headers.get('content-type')).to.equal('text/plain; version=0.0.4; charset=utf-8');
  return parseExposition(answer.text);
}

function valueOf(families: readonly Family[], name: string, labels: Readonly<Record<string, string>> = {}): number {
  const fits = families
    .flatMap(({ samples }) => samples)
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value));
  return fits.reduce((sum, { value }) => sum + value, 0);
}

describe('/metrics', () => {
  let api: Api;
  afterEach(() => api.close());

  it('counts requests by operation, method and class of status, and how long they took', async () => {
    api = await watchedApi();
    const { ada, bob, ids } = await newSampleWorkspace(api);
    const before = await read(api, ada.token);
    const count = 'espalier_http_request_duration_seconds_count';
    const get = (path: string, token = ada.token, method = 'GET') => api.ask({ method, path, token });
    await get('/api/me');
    await get('/api/me', ada.token, 'HEAD');
    await get('/api/me', 'esp_wrong');
    await get('/api/user', bob.token);
    await get(`/api/workspace/${ids.workspaceId}/task/${ids.taskId}`);
    await get('/api/nothing');
    await get('/api/me', ada.token, 'PATCH');
    await get('/healthz');
    const after = await read(api, ada.token);
    const grown = (operation: string, method: string, status: string) =>
      valueOf(after, count, { operation, method, status }) - valueOf(before, count, { operation, method, status });
    expect(grown('me.get', 'GET', '2xx')).to.equal(1);
    expect(grown('me.get', 'HEAD', '2xx')).to.equal(1);
    expect(grown('me.get', 'GET', '4xx')).to.equal(1);
    expect(grown('users.list', 'GET', '4xx')).to.equal(1);
    expect(grown('tasks.get', 'GET', '2xx')).to.equal(1);
    expect(grown('none', 'GET', '4xx')).to.equal(1);
    expect(grown('none', 'other', '4xx')).to.equal(1);
    expect(grown('healthz', 'GET', '2xx')).to.equal(1);
    expect(grown('metrics', 'GET', '2xx')).to.equal(1);
    expect(valueOf(after, 'espalier_http_request_duration_seconds_sum')).to.be.greaterThan(0);
  });

  it('counts use cases by what came of them, and transactions by how they ended', async () => {
    api = await watchedApi();
    const { ada, bob, ids } = await newSampleWorkspace(api);
    const families = [await read(api, ada.token)];
    const path = `/api/workspace/${ids.workspaceId}/page`;
    await api.ask({ method: 'GET', path, token: ada.token });
    await api.ask({ method: 'POST', path, token: ada.token, body: { name: 'x', type: 'folder' } });
    await api.ask({ method: 'POST', path, token: ada.token, body: { name: 'x' } });
    await api.ask({ method: 'PUT', path: `/api/workspace/${ids.workspaceId}`, token: bob.token, body: { name: 'x' } });
    families.push(await read(api, ada.token));
    const grown = (name: string, labels: Readonly<Record<string, string>>) =>
      valueOf(families[1]!, name, labels) - valueOf(families[0]!, name, labels);
    const useCase = (use_case: string, outcome: string) => grown('espalier_use_cases_total', { use_case, outcome });
    expect(useCase('pages.list', 'ok')).to.equal(1);
    expect(useCase('pages.create', 'ok')).to.equal(1);
    expect(useCase('pages.create', 'invalid-input')).to.equal(1);
    expect(useCase('workspaces.update', 'forbidden')).to.equal(1);
    const write = (outcome: string) => grown('espalier_store_transactions_total', { kind: 'write', outcome });
    expect(write('refused')).to.equal(1);
    expect(write('ok')).to.be.at.least(1);
    const duration = 'espalier_store_transaction_duration_seconds_count';
    expect(grown(duration, { kind: 'write' })).to.equal(write('ok') + write('refused'));
    expect(grown(duration, { kind: 'read' })).to.be.at.least(1);
    expect(grown('espalier_store_reruns_total', {})).to.equal(0);
  });

  it('counts what runs again because of a conflict, and a store that cannot', async () => {
    const store = memoryStore();
    let mood: 'well' | 'busy' | 'conflict' = 'well';
    const moody: Store = {
      ready: () => store.ready(),
      close: () => store.close(),
      read: (work) => store.read(work),
      async write(work) {
        if (mood === 'busy') throw new EspalierError('store-busy', 'There were too many conflicts.');
        if (mood === 'conflict') {
          await store
            .write(async (tx) => {
              await work(tx);
              throw new Error('conflict');
            })
            .catch(() => undefined);
        }
        return store.write(work);
      },
    };
    api = await watchedApi(moody);
    const { ada } = await newSampleWorkspace(api);
    const rename = () => api.ask({ method: 'PUT', path: '/api/me', token: ada.token, body: { name: `${mood}er` } });
    mood = 'busy';
    expect((await rename()).status).to.equal(503);
    mood = 'conflict';
    expect((await rename()).status).to.equal(200);
    mood = 'well';
    const families = await read(api, ada.token);
    expect(valueOf(families, 'espalier_store_transactions_total', { kind: 'write', outcome: 'store-busy' })).to.equal(
      1,
    );
    expect(valueOf(families, 'espalier_store_reruns_total', { kind: 'write' })).to.be.at.least(1);
    expect(valueOf(families, 'espalier_use_cases_total', { outcome: 'store-busy' })).to.equal(1);
  });

  it('tells of the event loop and the process', async () => {
    api = await watchedApi();
    const { ada } = await newSampleWorkspace(api);
    const families = await read(api, ada.token);
    const names = families.map(({ name }) => name);
    expect(names).to.include.members([
      'espalier_event_loop_utilization',
      'nodejs_eventloop_lag_p50_seconds',
      'nodejs_eventloop_lag_p90_seconds',
      'nodejs_eventloop_lag_p99_seconds',
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_heap_size_used_bytes',
      'nodejs_gc_duration_seconds',
    ]);
    expect(valueOf(families, 'espalier_event_loop_utilization')).to.be.within(0, 1);
  });

  it('holds no word that a client has sent, whatever it sends', async () => {
    api = await watchedApi();
    const sample = await newSampleWorkspace(api);
    const { token } = sample.ada;
    for (const row of operations) await api.ask(ask(row, pathOf(row, sample.ids), sample));
    const at = `/api/workspace/${sample.ids.workspaceId}`;
    const body = { name: 'canary', title: 'canary', content: 'canary', alias: 'canary', email: 'canary@example.org' };
    for (const path of ['/api/workspace', `${at}/page`, `${at}/board`, `${at}/canary`, '/canary']) {
      for (const method of ['POST', 'PUT', 'CANARY', 'PROPFIND']) await api.ask({ method, path, token, body });
    }
    const headers = { 'x-request-id': 'canary', 'idempotency-key': 'canary', 'user-agent': 'canary' };
    await api.ask({ method: 'GET', path: `${at}/task?q=canary`, token, headers });
    const targets = [
      ...HOSTILE_QUERIES.map((query) => `${at}/task?${query}`),
      ...ODD_TARGETS,
      ...hostileTargets(sample.ids.workspaceId, sample.ids.taskId),
    ];
    for (const path of targets.filter((target) => target.startsWith('/'))) {
      await api.ask({ method: 'GET', path, token }).catch(() => undefined);
    }
    const { text } = await api.ask({ method: 'GET', path: '/metrics', token });
    expect(text).not.to.match(/canary|[0-9a-f]{8}-[0-9a-f]{4}|esp_|@/i);
    const ours = parseExposition(text).filter(({ name }) => name.startsWith('espalier_'));
    expect(ours).to.have.length(8);
    for (const { name, labels } of ours.flatMap(({ samples }) => samples)) {
      for (const [label, word] of Object.entries(labels)) expect(WORDS[label], `${name} ${label}`).to.include(word);
    }
  });
});
