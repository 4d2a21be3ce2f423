import { expect } from 'chai';
import * as fc from 'fast-check';
import { jsonList, jsonRecord, type JsonText } from '../../../../adapters/http/response/json.ts';

const record = fc.record({ id: fc.uuid(), text: fc.string({ unit: 'binary' }), tags: fc.array(fc.string()) });
const records = fc.array(record, { maxLength: 200, size: 'max' });

function textOf(json: JsonText): string {
  if (typeof json === 'string') return json;
  return Buffer.concat(Array.isArray(json) ? (json as readonly Uint8Array[]) : [json as Uint8Array]).toString();
}

function frozen<T extends object>(items: readonly T[]): T[] {
  return items.map((item) => Object.freeze({ ...item }));
}

describe('JSON that is written in steps', () => {
  it('is what it is when written at once: lists, frozen records among them, and records with lists', async () => {
    await fc.assert(
      fc.asyncProperty(records, async (items) => {
        const expected = JSON.stringify(items);
        expect(textOf(await jsonList(items))).to.equal(expected);
        for (let again = 0; again < 2; again += 1) expect(textOf(await jsonList(frozen(items)))).to.equal(expected);
        const mixed = items.map((item, i) => (i % 3 === 0 ? Object.freeze({ ...item }) : item));
        expect(textOf(await jsonList(mixed))).to.equal(expected);
        const whole = { id: 'a', absent: undefined, comments: items, version: 1, tags: items, none: [] };
        expect(textOf(await jsonRecord(whole))).to.equal(JSON.stringify(whole));
        expect(textOf(await jsonRecord({ first: undefined, comments: items }))).to.equal(
          JSON.stringify({ comments: items }),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('lets others run between the records, and comes in parts where it is large', async () => {
    // As many comments as a task may have, half as long as they may be.
    const items = Array.from({ length: 2_000 }, (_, n) => ({ n, text: 'long '.repeat(2_000) }));
    const task = { id: 'a', comments: items, version: 1 };
    const written = [
      [() => jsonList(items), items],
      [() => jsonRecord(task), task],
    ] as const;
    for (const [write, expected] of written) {
      let [turns, isWriting] = [0, true];
      const count = (): void => {
        turns += 1;
        if (isWriting) setImmediate(count);
      };
      setImmediate(count);
      const json = await write();
      isWriting = false;
      expect(json).to.be.an('array');
      // The parts of 1 MiB take some milliseconds each, of which a turn has two.
      expect(turns).to.be.at.least(5);
      expect(textOf(json)).to.equal(JSON.stringify(expected));
    }
  });
});
