import { expect } from 'chai';
import * as fc from 'fast-check';
import { eventTexts } from '../../../../adapters/http/stream/event-text.ts';
import type { ChangeEvent } from '../../../../core/model/log/change-event.ts';
import { jsonList, jsonRecord, type JsonText, recordPieces } from '../../../../adapters/http/response/json.ts';

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
        const events = items.slice(0, 20).flatMap((item) => [{ id: item.id, record: whole }, item]);
        expect(textOf(await jsonList(events))).to.equal(JSON.stringify(events));
        expect(textOf(await jsonList(events.slice(0, 3)))).to.equal(JSON.stringify(events.slice(0, 3)));
      }),
      { numRuns: 60 },
    );
  });

  it('lets others run between the records, and comes in parts where it is large', async () => {
    // As many comments as a task may have, half as long as they may be.
    const items = Array.from({ length: 2_000 }, (_, n) => ({ n, text: 'long '.repeat(2_000) }));
    const task = { id: 'a', comments: items, version: 1 };
    const events = [{ type: 'task.create', record: task }];
    const written = [
      [() => jsonList(items), items],
      [() => jsonRecord(task), task],
      [() => jsonList(events), events],
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

  it('writes few records at once that are large, behind many small ones too', () => {
    const items = Array.from({ length: 400 }, (_, n) => ({ n, text: 'x'.repeat(n < 200 ? 10 : 10_000) }));
    const pieces = [...recordPieces({ items })].map(String);
    expect(pieces.join('')).to.equal(JSON.stringify({ items }));
    expect(Math.max(...pieces.map(({ length }) => length))).to.be.below(200_000);
  });

  it('comes piece by piece in a stream of events too', () => {
    const comments = Array.from({ length: 2_000 }, (_, n) => ({ n, content: 'long '.repeat(2_000) }));
    const event = { type: 'task.create', record: { id: 'a', comments } } as unknown as ChangeEvent;
    const pieces = [...eventTexts([event], 'cursor')];
    const whole = `event: task.create\nid: cursor\ndata: ${JSON.stringify(event)}\n\n`;
    expect(pieces.join('')).to.equal(whole);
    expect(Math.max(...pieces.map(({ length }) => length))).to.be.below(whole.length / 100);
  });
});
