import { expect } from 'chai';
import { EspalierError } from '../../../core/kernel/errors.ts';
import { jsonFault } from '../../../adapters/formats/trello/json-fault.ts';
import { readTrelloBoard } from '../../../adapters/formats/trello/index.ts';
import { board, boardText } from './fixture.ts';

function failure(work: () => unknown): EspalierError {
  try {
    work();
  } catch (error) {
    if (error instanceof EspalierError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

describe('Reading a Trello export', () => {
  it('takes an export as it is, with or without a byte order mark', () => {
    expect(readTrelloBoard(`\uFEFF${boardText()}`).name).to.equal('Release train');
  });

  it('tells where a file was cut off, wherever that is', () => {
    const text = boardText().trimEnd();
    for (let length = 0; length < text.length; length += 97) {
      const part = text.slice(0, length);
      const fault = jsonFault(part);
      const lines = part.split('\n');
      expect(fault, String(length)).to.include({ line: lines.length });
      expect(fault!.column).to.be.at.most(lines.at(-1)!.length + 1);
      expect(failure(() => readTrelloBoard(part)).code).to.equal('invalid-input');
    }
  });

  it('agrees with JSON.parse on what is JSON', () => {
    const good = ['{}', '[]', ' [1, -2.5e3, "a\\u00e9\\n", true, null, {"a": [{}]}] ', '"x"', '0'];
    const bad = [
      '',
      '{',
      '[1,]',
      '{"a":1,}',
      '{a:1}',
      "{'a':1}",
      '01',
      '1.',
      '[1 2]',
      '{"a" 1}',
      '"a\nb"',
      '"\\x"',
      '[}',
      'nul',
      '1 1',
      '\u00A01',
    ];
    for (const text of good) expect(jsonFault(text), text).to.equal(null);
    for (const text of bad) {
      expect(() => JSON.parse(text), text).to.throw();
      expect(jsonFault(text), text).not.to.equal(null);
    }
  });

  it('names line and column', () => {
    expect(jsonFault('{\n  "a": 1,\n  "b": oops\n}')).to.include({ line: 3, column: 8 });
    expect(failure(() => readTrelloBoard('{\n"a" 1}')).detail).to.include('line 2, column 5');
  });

  it('points to what is not as Trello writes it', () => {
    const error = failure(() =>
      board((json) => {
        json.cards[2]!['name'] = 7;
        delete json.lists[1]!['id'];
      }),
    );
    expect(error.code).to.equal('invalid-input');
    expect(error.errors.map(({ pointer }) => pointer)).to.include.members(['/cards/2/name', '/lists/1']);
  });

  for (const text of ['[]', 'null', '"board"', '{"name":"x"}', '{"id":"x","name":"x","lists":{},"cards":[]}']) {
    it(`refuses ${text}`, () => {
      expect(failure(() => readTrelloBoard(text)).code).to.equal('invalid-input');
    });
  }
});
