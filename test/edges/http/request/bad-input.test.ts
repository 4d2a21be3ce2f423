import { expect } from 'chai';
import { requestFields } from '../../../../adapters/http/request/input.ts';
import { operations, type Operation } from '../../../../adapters/schemas/index.ts';
import { badTextsInQuery, badValues } from './bad-values.ts';
import { ask } from '../valid-requests.ts';
import { newSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { newApi, pathOf, type Answer, type Api, type Ask, type Transport } from '../support.ts';

for (const transport of ['in process', 'through a socket'] satisfies Transport[]) {
  describe(`bad input, ${transport}`, () => {
    let api: Api;
    let sample: SampleWorkspace;
    before(async () => {
      api = await newApi(transport);
      sample = await newSampleWorkspace(api);
    });
    after(() => api.close());

    const good = (row: Operation): Ask => ask(row, pathOf(row, sample.ids), sample);

    async function refused(asked: Ask, field: string, what: string): Promise<void> {
      const answer: Answer = await api.ask(asked);
      expect([answer.status, answer.json.code], `${field}: ${what} ${answer.text.slice(0, 300)}`).to.deep.equal([
        400,
        'invalid-input',
      ]);
      const named = answer.pointers.some((pointer) => pointer === `/${field}` || pointer.startsWith(`/${field}/`));
      expect(named, `${field}: ${what} ${answer.text.slice(0, 300)}`).to.equal(true);
    }

    for (const row of operations) {
      const { body, query } = requestFields(row);
      for (const [field, schema] of Object.entries(body)) {
        it(`${row.useCase} refuses a bad ${field}`, async () => {
          for (const { what, value } of badValues(schema)) {
            const asked = good(row);
            await refused({ ...asked, body: { ...(asked.body as object), [field]: value } }, field, what);
          }
        });
      }
      for (const [field, schema] of Object.entries(query)) {
        it(`${row.useCase} refuses a bad ${field} in the query`, async () => {
          for (const { what, value } of badTextsInQuery(schema)) {
            const path = `${pathOf(row, sample.ids)}?${field}=${encodeURIComponent(String(value))}`;
            await refused({ ...good(row), path }, field, what);
          }
        });
      }

      it(`${row.useCase} refuses what it does not know, by name`, async () => {
        const asked = good(row);
        if (row.method === 'GET' || row.method === 'DELETE') {
          const path = pathOf(row, sample.ids);
          await refused({ ...asked, path: `${path}?surprise=1` }, 'surprise', 'unknown');
          await refused({ ...asked, path: `${path}?__proto__=1` }, '__proto__', 'prototype');
          for (const field of Object.keys(query).filter((name) => !Object.hasOwn(query[name]!, 'items'))) {
            await refused({ ...asked, path: `${path}?${field}=1&${field}=1` }, field, 'twice');
          }
          await refused({ ...asked, path: `${path}?surprise=%ff` }, 'surprise', 'not UTF-8');
          return;
        }
        const given = asked.body ?? {};
        await refused({ ...asked, body: { ...given, surprise: 1 } }, 'surprise', 'unknown');
        const raw = `{"__proto__":{"name":"x"},${JSON.stringify(given).slice(1)}`.replace(',}', '}');
        await refused({ ...asked, raw }, '__proto__', 'prototype');
        await refused({ ...asked, path: `${asked.path}?surprise=1` }, 'surprise', 'unknown in the query');
        const far = `{"surprise":1e400,${JSON.stringify(given).slice(1)}`.replace(',}', '}');
        await refused({ ...asked, raw: far }, 'surprise', 'infinite');
      });
    }

    it('refuses bodies that are no JSON object', async () => {
      const row = operations.find(({ useCase }) => useCase === 'tasks.create')!;
      const texts = ['', '{', 'null', '[]', '"x"', '1', 'NaN', '{"title":"a" "b"}', "{'a':1}", '{}}', '\u0001'];
      for (const raw of texts) {
        const answer = await api.ask({ ...good(row), raw });
        expect([answer.status, answer.json.code], raw).to.deep.equal([400, 'invalid-input']);
      }
      for (const bytes of [
        [0xff, 0xfe],
        [0x22, 0xc3, 0x28, 0x22],
        [0x7b, 0x00, 0x7d],
      ]) {
        const answer = await api.ask({ ...good(row), raw: Uint8Array.from(bytes) });
        expect([answer.status, answer.json.code], String(bytes)).to.deep.equal([400, 'invalid-input']);
      }
    });

    it('refuses JSON nested deeper than 32, however deep', async () => {
      const row = operations.find(({ useCase }) => useCase === 'me.update')!;
      for (const depth of [32, 33, 30_000]) {
        const raw = `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`;
        const answer = await api.ask({ ...good(row), raw });
        expect([answer.status, answer.json.code], String(depth)).to.deep.equal([400, 'invalid-input']);
      }
    });

    it('names every field at fault at once', async () => {
      const row = operations.find(({ useCase }) => useCase === 'tasks.create')!;
      const body = { title: ' ', boardId: 'x', priority: -1, tags: ['x'], plannedEndDate: '2026-02-30', surprise: 1 };
      const { pointers } = await api.ask({ ...good(row), body });
      const named = ['/boardId', '/plannedEndDate', '/priority', '/surprise', '/tags/0', '/title'];
      expect([...new Set(pointers)].sort()).to.deep.equal(named);
    });

    it('takes hostile names as they are', async () => {
      const { token } = sample.ada;
      const names = [
        '<script>',
        "'; drop table",
        '../../etc',
        '%00',
        '\u202Eabc',
        '𝕬',
        'ﷺ',
        'e\u0301',
        '\u200B',
        '{{x}}',
      ];
      for (const name of names) {
        const made = await api.ask({ method: 'POST', path: '/api/workspace', token, body: { name } });
        expect([made.status, made.json.name]).to.deep.equal([201, name]);
      }
    });
  });
}
