import { expect } from 'chai';
import { prefers, requireAcceptable } from '../../../../adapters/http/response/negotiation.ts';
import { refusal } from '../refusal.ts';

describe('the Accept header', () => {
  const answer = (accept?: string, type?: string) => {
    const request = new Request('http://x', accept === undefined ? {} : { headers: { accept } });
    return refusal(() => requireAcceptable(request, type));
  };

  it('takes JSON by its name, its family, or with everything', () => {
    for (const accept of [
      undefined,
      '',
      ' ',
      '*/*',
      'application/json',
      'APPLICATION/JSON',
      'application/*',
      'text/html, application/json',
      'text/html;q=0.9 ,*/* ; q=0.1',
      'application/json;q=0.001',
      'application/json; charset=utf-8',
      'application/json;charset=utf-8;q=1',
      'application/json; Q = 1',
      'application/json; eq=0',
      'application/json; qs=0',
    ]) {
      expect(answer(accept), accept).to.equal('ok');
    }
  });

  it('leaves it out by naming others, or by a quality of 0', () => {
    for (const accept of [
      'text/html',
      'text/*',
      'application/xml',
      'application/jsonx',
      'application/json;q=0',
      'application/json; charset=utf-8; q=0',
      'application/json;q=0.0, text/html',
      '*/*;q=0',
      'application/json;q=x',
      'application/json; q =0',
    ]) {
      expect(answer(accept), accept).to.equal('not-acceptable');
    }
  });

  it('goes by the range that fits best, wherever it stands', () => {
    for (const [accept, expected] of [
      ['application/json;q=0, */*', 'not-acceptable'],
      ['*/*, application/json;q=0', 'not-acceptable'],
      ['application/*;q=0, */*', 'not-acceptable'],
      ['*/*, application/*;q=0', 'not-acceptable'],
      ['application/json, application/*;q=0', 'ok'],
      ['application/*;q=0, application/json', 'ok'],
      ['*/*;q=0, application/*', 'ok'],
    ] as const) {
      expect(answer(accept), accept).to.equal(expected);
    }
  });

  it('is held to what is answered', () => {
    expect(answer('application/json', 'application/x-ndjson')).to.equal('not-acceptable');
    expect(answer('application/x-ndjson', 'application/x-ndjson')).to.equal('ok');
    expect(answer('application/x-ndjson')).to.equal('not-acceptable');
  });

  it('prefers a type that it takes rather than its rival, and names or takes alone', () => {
    for (const [accept, expected] of [
      ['text/csv', true],
      ['Text/CSV; Q=0.5', true],
      ['text/csv, application/json;q=0.5', true],
      ['text/*, application/json;q=0.5', false],
      ['*/*, application/json;q=0', true],
      ['text/*;q=0', false],
      ['*/*', false],
      ['text/html', false],
      ['text/csv, */*;q=0', true],
      ['text/csv, application/json;q=0', true],
      ['text/csv, application/json', false],
      ['text/csv, */*', false],
      ['text/csv;q=0', false],
      ['text/*', true],
      ['application/json', false],
      ['', false],
      [undefined, false],
    ] as const) {
      const request = new Request('http://x', accept === undefined ? {} : { headers: { accept } });
      expect(prefers(request, 'text/csv', 'application/json'), accept).to.equal(expected);
    }
  });
});
