import { expect } from 'chai';
import { codesOf } from '../../../../adapters/http/openapi/responses.ts';
import { STATUS, type ProblemCode } from '../../../../adapters/http/response/problem.ts';
import { operations } from '../../../../adapters/schemas/index.ts';
import { EspalierError } from '../../../../core/kernel/errors.ts';
import recorded from '../../../../adapters/http/openapi/recorded-answers.json' with { type: 'json' };
import { document } from './conform.ts';
import { documented, type DocumentedOperation } from './example-requests.ts';
import { newExampleService } from './example-service.ts';
import { EVERYWHERE, NOT_PROVOKED, OWN } from './provocations.ts';
import { provoke, provokeStore } from './provoke.ts';
import { record, RECORDS, shown } from './recorded.ts';

const OF_THE_STORE: Readonly<Partial<Record<ProblemCode, Error>>> = {
  internal: new TypeError('what nobody foresaw'),
  'store-busy': new EspalierError('store-busy', 'Too many changes at once: try again.'),
  'store-unavailable': new EspalierError('store-unavailable', 'The store cannot be reached.'),
};

/** Codes that no answer has, and why. */
const NO_ANSWERS: Readonly<Partial<Record<ProblemCode, string>>> = {
  'identity-taken': 'Who signs in with a JSON Web Token is taken for the user of the other request.',
  'snapshot-incomplete': 'It breaks off an answer that has begun.',
};

/** The codes that only this operation can be refused with. */
const isOwn = (code: ProblemCode) => [409, 410, 422].includes(STATUS[code]);

/** What the document shows of an operation that is refused with a code. */
function recordedOf(operationId: string, code: ProblemCode): unknown {
  const conflicts: Readonly<Record<string, Readonly<Record<string, unknown>>>> = recorded.conflicts;
  const problems: Readonly<Record<string, unknown>> = recorded.problems;
  return conflicts[operationId]?.[code] ?? problems[code];
}

/** The codes that the document names for an operation, and more that it can be refused with. */
function codesToProvoke({ operationId, responses }: DocumentedOperation): ReadonlySet<ProblemCode> {
  const row = operations.find(({ useCase }) => useCase === operationId);
  const own = Object.keys(OWN[operationId] ?? {}) as ProblemCode[];
  if (row !== undefined) return new Set([...codesOf(row), ...own]);
  const everywhere = Object.keys({ ...EVERYWHERE, ...OF_THE_STORE }) as ProblemCode[];
  return new Set([...own, ...everywhere.filter((code) => !isOwn(code) && Object.hasOwn(responses, STATUS[code]))]);
}

const text = JSON.stringify(document);

describe('the errors of the OpenAPI document', () => {
  const problems: Record<string, unknown> = {};
  const conflicts: Record<string, Record<string, unknown>> = {};

  for (const operation of documented.filter(({ security }) => security === undefined)) {
    const { operationId } = operation;
    for (const code of codesToProvoke(operation)) {
      if (NOT_PROVOKED[`${operationId} ${code}`] !== undefined) continue;
      it(`${operationId} is refused with ${code}`, async () => {
        const reason = OF_THE_STORE[code];
        const how = OWN[operationId]?.[code] ?? EVERYWHERE[code];
        expect(how ?? reason, 'nothing provokes it, and nothing says why').not.to.equal(undefined);
        const answer = reason === undefined ? await provoke(operation, how!) : await provokeStore(operation, reason);
        expect([answer.status, answer.json?.code], answer.text).to.deep.equal([STATUS[code], code]);
        problems[code] ??= shown(answer.json);
        if (!RECORDS && isOwn(code)) expect(shown(answer.json)).to.deep.equal(recordedOf(operationId, code));
        // Where an operation says the same as others, that is written once.
        const isSame = JSON.stringify(problems[code]) === JSON.stringify(shown(answer.json));
        if (isOwn(code) && !isSame) (conflicts[operationId] ??= {})[code] = shown(answer.json);
      });
    }
  }

  it('method-not-allowed is what an address answers to a method that it does not take', async () => {
    const service = await newExampleService();
    const answer = await service.ask({ method: 'PATCH', path: '/api/me', token: service.tokens.ada });
    await service.close();
    expect([answer.status, answer.json.code]).to.deep.equal([STATUS['method-not-allowed'], 'method-not-allowed']);
    expect(answer.headers.get('allow')).to.equal('GET, HEAD, OPTIONS, PUT');
    problems['method-not-allowed'] = shown(answer.json);
  });

  it('are all of the table, but for those that are no answers', () => {
    if (RECORDS) return;
    const lacking = Object.keys(STATUS).filter((code) => !Object.hasOwn(recorded.problems, code));
    expect(lacking.sort()).to.deep.equal(Object.keys(NO_ANSWERS).sort());
    for (const code of Object.keys(recorded.problems)) expect(text, code).to.contain(`"code":"${code}"`);
  });

  it('are documented where something provokes them', () => {
    const undocumented = operations.flatMap((row) =>
      (Object.keys(OWN[row.useCase] ?? {}) as ProblemCode[])
        .filter((code) => isOwn(code) && !codesOf(row).includes(code))
        .map((code) => `${row.useCase} ${code}`),
    );
    expect(undocumented).to.deep.equal([]);
  });

  it('all have an example where they are documented, but for those that take more than one request', () => {
    if (RECORDS) return;
    const lacking = operations.flatMap((row) =>
      codesOf(row)
        .filter((code) => !Object.hasOwn(recorded.problems, code))
        .map((code) => `${row.useCase} ${code}`),
    );
    expect(lacking).to.deep.equal([]);
  });

  after(async () => {
    if (RECORDS) await record({ problems, conflicts });
  });
});
