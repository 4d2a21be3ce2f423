import { expect } from 'chai';
import { parseJson } from '../../../../adapters/http/request/body.ts';
import { rejected } from '../../../contract/rejected.ts';

describe('the body of a request', () => {
  /** Whether others have run before it is there for who has asked. */
  async function othersRan(text: string): Promise<boolean> {
    const parsing = parseJson(Buffer.from(JSON.stringify({ text })));
    let ran = false;
    setImmediate(() => (ran = true));
    expect(await parsing).to.deep.equal({ text });
    return ran;
  }

  it('is parsed in a turn of its own if it is large', async () => {
    expect(await othersRan('x'.repeat(100_000))).to.equal(true);
  });

  it('is parsed at once if it is small', async () => {
    expect(await othersRan('x')).to.equal(false);
  });

  it('is refused when it is no JSON, large or small', async () => {
    for (const text of ['[', `[${'1,'.repeat(50_000)}`]) await rejected('invalid-input', parseJson(Buffer.from(text)));
  });
});
