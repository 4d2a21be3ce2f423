import { expect } from 'chai';
import * as fc from 'fast-check';
import { csvLines } from '../../../../cli/task/lines/csv.ts';
import { readLines } from '../../../../cli/task/lines/read.ts';
import { csv } from '../../../../cli/output/format/csv.ts';

describe('CSV', () => {
  it('gives back what was written into it, whatever that was', () => {
    // Control characters do not get into what is printed.
    const text = fc
      .string({ unit: 'grapheme' })
      .map((one) => one.replace(/[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu, ''));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (rows) => {
        const lines = csvLines(String(csv(['title', 'description'], rows)));
        const read = lines.map((one) => ('record' in one ? one.record['description'] : null));
        expect(read).to.deep.equal(rows.map(([, description]) => description));
      }),
    );
  });

  it('has commas, semicolons or tabs between its cells, as its headings do', () => {
    for (const between of [',', ';', '\t']) {
      const text = [['num', 'title'], ['1', '"a, b; c\td"'], [], ['#2', 'x']]
        .map((row) => row.join(between))
        .join('\r\n');
      expect(csvLines(text).map((row) => 'record' in row && row.record)).to.deep.equal([
        { num: 1, title: 'a, b; c\td' },
        { num: 2, title: 'x' },
      ]);
    }
  });

  it('names a task by its title where there is no number', () => {
    const records = csvLines('num,title\nNaN,a\nabc,b\n#7,c\n1.5,d\n2.0,e\n0x10,f\n1e3,g\n#,h\n').map(
      (row) => 'record' in row && row.record,
    );
    expect(records).to.deep.equal([
      { num: 'NaN', title: 'a' },
      { num: 'abc', title: 'b' },
      { num: 7, title: 'c' },
      { num: '1.5', title: 'd' },
      { num: '2.0', title: 'e' },
      { num: '0x10', title: 'f' },
      { num: '1e3', title: 'g' },
      { num: '#', title: 'h' },
    ]);
  });

  it('numbers its rows by the line that each begins on', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const lines = ['', 'title,description', '', '', 'a,"x', '', 'y"', '', 'b,\u00E4', 'c,', ''];
      for (const bom of ['', '\uFEFF']) {
        const read = csvLines(bom + lines.join(end)).map(({ line }) => line);
        expect(read, JSON.stringify(bom + end)).to.deep.equal([5, 9, 10]);
      }
    }
  });

  it('is recognised by the name of the file, or else by how it begins', async () => {
    const isJson = async (text: string, file: string) =>
      readLines(text, file).then(
        (lines) => lines.some((one) => 'error' in one) || lines.some((one) => 'record' in one && one.record['x'] === 1),
        () => false,
      );
    expect(await isJson('{"x":1}', 'tasks.txt')).to.equal(true);
    expect(await isJson('{"x":1}', '-')).to.equal(true);
    expect(await isJson('nope\n{"x":1}', '-')).to.equal(true);
    expect(await isJson('title\n1', '-')).to.equal(false);
    expect(await isJson('title\n1', 'tasks.CSV')).to.equal(false);
    expect(await isJson('num\ttitle\n1\tx', 'tasks.tsv')).to.equal(false);
    // As of `<(command)`.
    expect(await isJson('title\n1', '/dev/fd/63')).to.equal(false);
    expect(await isJson('{"x":1}', '/dev/fd/63')).to.equal(true);
  });
});
