import { expect } from 'chai';
import * as fc from 'fast-check';
import type { EspalierError } from '../../../../core/kernel/errors.ts';
import { requestFields } from '../../../../adapters/http/request/input.ts';
import { JsonShape } from '../../../../adapters/http/request/json-shape.ts';
import { hasBody, largestBody, operations } from '../../../../adapters/schemas/index.ts';
import { newSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { newApi, pathOf, type Api } from '../support.ts';

const LIMIT = 1_048_576;

/** The code that it is refused with; null where it is not. */
function refusal(json: string, parts = 1, limit = LIMIT): string | null {
  const bytes = Buffer.from(json);
  const size = Math.ceil(bytes.length / parts);
  const shape = new JsonShape(limit);
  try {
    for (let from = 0; from < bytes.length; from += size) shape.add(bytes.subarray(from, from + size));
    return null;
  } catch (error) {
    return (error as EspalierError).code;
  }
}

describe('the shape of a body', () => {
  it('of any JSON of ordinary size is taken, in whatever parts it comes, quotes and brackets in texts too', () => {
    const json = fc.oneof(
      fc.json({ maxDepth: 20 }),
      fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
    );
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 40 }), (text, parts) => {
        expect(refusal(text, parts)).to.equal(null);
        const escaped = JSON.stringify({ text: `${'['.repeat(100)}\\"${','.repeat(2_000)}\\\\${text}` });
        expect(refusal(escaped, parts, 20_000)).to.equal(null);
      }),
      { numRuns: 500 },
    );
  });

  const many = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n)).join(',');
  const bodies: Readonly<Record<string, readonly [body: string, expected: 'invalid-input' | null]>> = {
    'nested too deep': ['['.repeat(500_000), 'invalid-input'],
    'nested too deep, one after the other': [`${'['.repeat(40)}${']'.repeat(40)}`.repeat(9_000), 'invalid-input'],
    'with an object of too many fields': [`{${many(80_000, (n) => `"k${n}":1`)}}`, 'invalid-input'],
    'with a list of too many numbers': [`[${many(500_000, () => '1')}]`, 'invalid-input'],
    'with a list of too many objects': [`[${many(300_000, () => '{}')}]`, 'invalid-input'],
    'of a batch of a thousand tasks with thirty tags each': [
      `{"tasks":[${many(1_000, (n) => `{"title":"${n}","tags":[${many(30, () => `"${'0'.repeat(36)}"`)}]}`)}]}`,
      null,
    ],
  };
  for (const [name, [body, expected]] of Object.entries(bodies)) {
    it(`is judged before it is parsed: ${name}`, () => {
      expect(refusal(body, 16)).to.equal(expected);
    });
  }
});

describe('the largest body of an operation', () => {
  let api: Api;
  let sample: SampleWorkspace;
  before(async () => {
    api = await newApi('through a socket');
    sample = await newSampleWorkspace(api);
  });
  after(() => api.close());

  const rowOf = (useCase: string) => operations.find((row) => row.useCase === useCase)!;
  const askWith = (useCase: string, raw: string) => {
    const row = rowOf(useCase);
    return api.ask({ method: row.method, path: pathOf(row, sample.ids), token: sample.ada.token, raw });
  };

  it('follows from its schema, and is far below that of a batch for most', () => {
    const rows = operations.filter(({ method }) => hasBody(method));
    const small = rows.filter((row) => largestBody(requestFields(row).body) < LIMIT / 2);
    expect(small.length).to.be.above((rows.length * 3) / 4);
    expect(largestBody(requestFields(rowOf('tasks.createMany')).body)).to.be.above(LIMIT);
  });

  it('takes the longest texts, however they are written', async () => {
    const escaped = (length: number) => String.raw`\u00e9`.repeat(length);
    const fields = [
      `"boardId":"${sample.ids.boardId}"`,
      `"title":"${escaped(500)}"`,
      `"description":"${escaped(50_000)}"`,
      `"externalId":"${escaped(200)}"`,
    ];
    const answer = await askWith('tasks.create', `{${fields.join()}}`);
    expect(answer.status).to.equal(201);
    expect(answer.json.description).to.equal('é'.repeat(50_000));
  });

  it('is all that is read', async () => {
    const body = JSON.stringify({ name: 'Doing' });
    const largest = largestBody(requestFields(rowOf('statuses.create')).body);
    expect((await askWith('statuses.create', body.padEnd(largest))).status).to.equal(201);
    expect((await askWith('statuses.create', body.padEnd(largest + 1))).status).to.equal(413);
  });
});
