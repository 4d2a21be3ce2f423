import { expect } from 'chai';
import { createMetrics } from '../../../../adapters/http/index.ts';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { EventReader, type SentEvent } from '../../../fixtures/process/event-reader.ts';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';
import { newSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { newApi, type Api, type ApiParts, type Transport } from '../support.ts';

const SECOND = 1_000;
const HEARTBEAT = 20;

for (const transport of ['in process', 'through a socket'] as const) {
  describe(`streams of events, ${transport}`, () => {
    let timers: ManualTimers;
    let api: Api;
    let sample: SampleWorkspace;
    let since: string;
    let opened: EventReader[];

    async function start(parts: ApiParts = {}, by: Transport = transport): Promise<void> {
      timers = new ManualTimers();
      api = await newApi(by, { espalier: createEspalier({ store: memoryStore(), timers }), timers, ...parts });
      sample = await newSampleWorkspace(api);
      const { workspaceId } = sample.ids;
      await api.espalier.as(sample.ada).workspaces.get({ workspaceId }, { onCursor: (now) => void (since = now) });
      opened = [];
    }

    afterEach(async () => {
      await Promise.all(opened.map((one) => one.close()));
      await api.close();
    });

    const path = (query = `?since=${since}`) => `/api/workspace/${sample.ids.workspaceId}/changes${query}`;
    const ask = (
      query?: string,
      { token }: { readonly token: string } = sample.ada,
      headers: Readonly<Record<string, string>> = {},
    ) => api.open({ method: 'GET', path: path(query), token, headers: { accept: 'text/event-stream', ...headers } });
    const follow = async (...given: Parameters<typeof ask>) => {
      const response = await ask(...given);
      expect(response.status).to.equal(200);
      const reader = new EventReader(response.body!);
      opened.push(reader);
      return { response, reader, ready: await reader.event() };
    };
    const refused = async (...given: Parameters<typeof ask>) => {
      const response = await ask(...given);
      const { code } = (await response.json()) as { code: string };
      return [response.status, code];
    };
    const rename = (title: string, by = sample.bob) => {
      const { workspaceId, taskId } = sample.ids;
      return api.espalier.as(by).tasks.update({ workspaceId, taskId, title });
    };

    it('begin with ready, and go on with what is written', async () => {
      await start();
      const { response, reader, ready } = await follow('?include=record');
      expect(response.headers.get('content-type')).to.equal('text/event-stream');
      expect(response.headers.get('cache-control')).to.contain('no-transform');
      expect(response.headers.get('vary')).to.contain('Accept');
      const { workspaceId } = sample.ids;
      expect([ready.type, ready.id]).to.deep.equal(['ready', response.headers.get('espalier-cursor')]);
      await rename('Renamed');
      const { type, id, data } = await reader.event();
      expect([type, data.type, data.id]).to.deep.equal(['task.update', 'task.update', sample.ids.taskId]);
      expect(data.record.title).to.equal('Renamed');
      const rest = await api.ask({ method: 'GET', path: path(`?since=${id!}`), token: sample.ada.token });
      expect([rest.status, rest.json]).to.deep.equal([200, []]);
      expect(workspaceId).to.be.a('string');
    });

    it('send what is behind a cursor, which Last-Event-ID names before since does', async () => {
      await start();
      await rename('One');
      const first = await follow();
      expect(first.ready.id).to.equal(since);
      const one = await first.reader.event();
      await rename('Two');
      const two = await first.reader.event();
      const second = await follow(undefined, sample.ada, { 'last-event-id': one.id! });
      expect(second.ready.id).to.equal(one.id);
      expect(await second.reader.event()).to.deep.equal(two);
    });

    it('give the cursor with the last event of what leads to one state only', async () => {
      await start();
      const { workspaceId, taskId } = sample.ids;
      await rename('One');
      await api.espalier.as(sample.bob).comments.create({ workspaceId, taskId, content: 'Done' });
      const { reader } = await follow();
      const events = [await reader.event(), await reader.event()];
      expect(events.map(({ id }) => id === null)).to.deep.equal([true, false]);
    });

    it('are refused before they begin, as the list is', async () => {
      await start();
      const elsewhere = since.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'));
      expect(await refused('?since=x')).to.deep.equal([400, 'invalid-input']);
      expect(await refused('?kind=user')).to.deep.equal([400, 'invalid-input']);
      expect(await refused('?wait=5')).to.deep.equal([400, 'invalid-input']);
      expect(await refused('?limit=5')).to.deep.equal([400, 'invalid-input']);
      expect(await refused('', { ...sample.ada, token: 'esp_unknown' })).to.deep.equal([401, 'unauthenticated']);
      expect(await refused('', sample.eve)).to.deep.equal([404, 'not-found']);
      expect(await refused(`?since=${elsewhere}`)).to.deep.equal([410, 'cursor-expired']);
      const headers = { 'last-event-id': elsewhere };
      expect(await refused(`?since=${since}`, sample.ada, headers)).to.deep.equal([410, 'cursor-expired']);
      for (const id of ['x', 'x'.repeat(5_000), `${since}\t`.repeat(2)]) {
        expect(await refused('', sample.ada, { 'last-event-id': id })).to.deep.equal([400, 'invalid-input']);
      }
      const ada = api.espalier.as(sample.ada);
      const { id: workspaceId } = await ada.workspaces.create({ name: 'Other' });
      let other = '';
      await ada.workspaces.get({ workspaceId }, { onCursor: (now) => void (other = now) });
      const ofOther = { 'last-event-id': other };
      expect(await refused('', sample.ada, ofOther)).to.deep.equal([410, 'cursor-expired']);
      // A caller who is no member gets the same answer with any cursor.
      expect(await refused('', sample.eve, ofOther)).to.deep.equal([404, 'not-found']);
      const head = { method: 'HEAD', path: path(), token: sample.ada.token, headers: { accept: 'text/event-stream' } };
      expect((await api.open(head)).status).to.equal(200);
      for (const accept of ['Text/Event-Stream', 'text/*']) {
        expect((await api.open({ ...head, headers: { accept } })).headers.get('content-type')).to.contain(
          'event-stream',
        );
      }
      const json = { accept: 'application/json, text/event-stream' };
      expect((await ask(`?since=${since}`, sample.ada, json)).headers.get('content-type')).to.contain('json');
    });

    it('are bounded for each user and for all, and one that ends gives its place back', async () => {
      await start({ streams: { perUser: 1, perProcess: 2 } });
      const first = await follow();
      expect(await refused()).to.deep.equal([429, 'too-many-requests']);
      await follow('', sample.bob);
      expect(await refused('', sample.eve)).to.deep.equal([429, 'too-many-requests']);
      await first.reader.close();
      let status: number;
      do {
        const response = await ask();
        ({ status } = response);
        opened.push(new EventReader(response.body!));
      } while (status === 429);
      expect(status).to.equal(200);
      expect(await refused()).to.deep.equal([429, 'too-many-requests']);
    });

    it('say every 20 s that they are there, with one timer for all, and end after an hour', async () => {
      await start();
      const streams = [await follow(''), await follow('', sample.bob)];
      const second = async () => {
        await timers.isSet(SECOND);
        expect(timers.count(SECOND)).to.equal(1);
        timers.pass(SECOND);
      };
      for (let n = 0; n < HEARTBEAT; n += 1) await second();
      for (const { reader } of streams) expect(await reader.next()).to.equal('comment');
      const ends: SentEvent[] = [];
      const ended = Promise.all(streams.map(async ({ reader }) => ends.push(await reader.event())));
      for (let n = HEARTBEAT; n < 3_400; n += 1) await second();
      expect(ends).to.deep.equal([]);
      while (timers.count(SECOND) > 0) await second().then(() => new Promise(setImmediate));
      await ended;
      expect(ends.map(({ type, data }) => [type, data])).to.deep.equal(
        streams.map(() => ['end', { code: 'reconnect' }]),
      );
      for (const { reader } of streams) expect(await reader.next()).to.equal(null);
    });

    it('end when the reader is removed or the token revoked, and nothing follows', async () => {
      await start();
      const { workspaceId } = sample.ids;
      const ada = api.espalier.as(sample.ada);
      const token = await ada.tokens.create({ name: 'watch' });
      const revoked = await follow('', { ...sample.ada, token: token.token });
      await ada.tokens.revoke({ tokenId: token.id });
      await rename('Unseen');
      expect(await revoked.reader.event()).to.deep.include({ type: 'end', data: { code: 'unauthenticated' } });
      expect(await revoked.reader.next()).to.equal(null);

      const removed = await follow('', sample.bob);
      await ada.members.remove({ workspaceId, memberId: sample.bob.memberId });
      await rename('Unseen again', sample.ada);
      expect(await removed.reader.event()).to.deep.include({ type: 'end', data: { code: 'gone' } });
      expect(await removed.reader.next()).to.equal(null);

      const disabled = await follow('', sample.gus);
      await api.espalier.users.update({ userId: sample.gus.id, disabled: true });
      expect(await disabled.reader.event()).to.deep.include({ type: 'end', data: { code: 'unauthenticated' } });
      expect(await disabled.reader.next()).to.equal(null);
    });

    it('are counted and logged with why they were closed', async () => {
      const metrics = createMetrics();
      await start({ metrics });
      const { workspaceId } = sample.ids;
      const [left, removed] = [await follow(), await follow('', sample.bob)];
      expect(await metrics.text()).to.include('espalier_streams_open 2');
      await left.reader.close();
      await api.espalier.as(sample.ada).members.remove({ workspaceId, memberId: sample.bob.memberId });
      await removed.reader.event();
      let text: string;
      do {
        await new Promise(setImmediate);
        text = await metrics.text();
      } while (!text.includes('espalier_streams_open 0'));
      expect(text).to.include('espalier_streams_closed_total{reason="client"} 1');
      expect(text).to.include('espalier_streams_closed_total{reason="gone"} 1');
      const reasons = api.log.flatMap((line) => ('reason' in line ? [line.reason] : []));
      expect(reasons).to.have.members(['client', 'gone']);
    });

    it('have the cursor of now in their end, also where nothing was seen', async () => {
      await start();
      const { workspaceId } = sample.ids;
      const { reader, ready } = await follow('?kind=board');
      await rename('Not a board');
      await api.espalier.as(sample.ada).workspaces.delete({ workspaceId });
      const { id, type } = await reader.event();
      expect(type).to.equal('end');
      expect(id).not.to.equal(ready.id);
    });
  });
}

describe('streams of events that the service ends', () => {
  it('say when to come again as it closes', async () => {
    const api = await newApi('through a socket');
    const sample = await newSampleWorkspace(api);
    const { token } = sample.ada;
    const path = `/api/workspace/${sample.ids.workspaceId}/changes`;
    const response = await api.open({ method: 'GET', path, token, headers: { accept: 'text/event-stream' } });
    const reader = new EventReader(response.body!);
    await reader.event();
    const closed = api.close();
    expect(await reader.event()).to.deep.include({ type: 'end', data: { code: 'reconnect' } });
    expect(await reader.next()).to.equal(null);
    await closed;
  });
});
