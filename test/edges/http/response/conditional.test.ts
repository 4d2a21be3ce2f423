import { expect } from 'chai';
import { codedTag, entityTag, expectedVersions, knownTag } from '../../../../adapters/http/response/conditional.ts';
import { refusal } from '../refusal.ts';

/** Not lists of entity tags (RFC 9110, section 8.8.3). */
const MALFORMED = [
  '',
  'x',
  '"',
  '"a',
  'a"',
  '""x',
  'x""',
  '"a" "b"',
  '"a",',
  ',"a"',
  '"a b"',
  'w/"a"',
  'W/a',
  '*, "a"',
];

describe('an entity tag', () => {
  it('tells the version, and one body from another, also in parts', async () => {
    const tag = entityTag({ version: 7 }, '{}');
    expect(tag).to.match(/^"7-[\w-]{16}"$/);
    expect(entityTag({}, '{}')).to.match(/^"[\w-]{16}"$/);
    expect(await entityTag({ version: 7 }, [Buffer.from('{'), Buffer.from('}')])).to.equal(tag);
    expect(entityTag({ version: 7 }, '[]')).not.to.equal(tag);
  });
});

describe('If-Match', () => {
  it('names the versions of strong tags of ours', () => {
    const read = (version: number) => ({ version, boardHidden: false });
    const withoutBoard = (version: number) => ({ version, boardHidden: true });
    for (const [header, versions] of [
      ['"3-"', [3]],
      [' "3-" ', [3]],
      ['"3-","12-yY_-"\t,  "4h-z", "5h-"', [3, read(12), withoutBoard(4), withoutBoard(5)]],
      ['W/"3-x"', []],
      ['W/"3-x", "4-"', [4]],
      ['"3x-x"', []],
      ['"3"', []],
      ['"x3-x"', []],
      ['"-3-x"', []],
      ['""', []],
      ['"123456789012345-"', [123456789012345]],
      ['"1234567890123456-x"', []],
      ['"\u00e9"', []],
    ] as const) {
      expect(expectedVersions(header), header).to.deep.equal(versions);
    }
  });

  it('tells from a tag of ours what was read', () => {
    for (const boardHidden of [true, false]) {
      const tag = entityTag({ version: 3, boardHidden, title: 'x' }, '{}');
      expect(expectedVersions(tag)).to.deep.equal([{ version: 3, boardHidden }]);
      expect(expectedVersions(codedTag(tag, 'gzip'))).to.deep.equal([{ version: 3, boardHidden }]);
    }
  });

  it('expects nothing where it is absent or *', () => {
    for (const header of [null, '*', ' * ']) expect(expectedVersions(header)).to.equal(undefined);
  });

  it('is refused where it is no list of entity tags', () => {
    for (const header of MALFORMED)
      expect(
        refusal(() => expectedVersions(header)),
        header,
      ).to.equal('invalid-input');
  });
});

describe('If-None-Match', () => {
  it('knows a tag, weak or strong', () => {
    for (const header of ['"a"', 'W/"a"', ' "a" ', '"b", "a"', '"b",W/"a"', '*', ' * ']) {
      expect(knownTag(header, '"a"'), header).to.equal('"a"');
    }
    for (const header of [null, '"b"', '"A"', '"aa"', '"W/a"', '""']) {
      expect(knownTag(header, '"a"'), String(header)).to.equal(null);
    }
  });

  it('is refused where it is no list of entity tags', () => {
    for (const header of MALFORMED)
      expect(
        refusal(() => knownTag(header, '"a"')),
        header,
      ).to.equal('invalid-input');
  });

  it('knows a body in every coding, and tells the tag of the one that the client has', () => {
    for (const tag of ['"a"', '"a+gzip"', '"a+br"']) {
      expect(knownTag(`"x", W/${tag}`, '"a"')).to.equal(tag);
      expect(knownTag(tag, '"b"')).to.equal(null);
    }
    expect(knownTag('"a+zip"', '"a"')).to.equal(null);
  });

  it('names a hundred at most', () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `"${i}"`).join(',');
    expect(knownTag(many(100), '"99"')).to.equal('"99"');
    expect(refusal(() => knownTag(many(101), '"99"'))).to.equal('invalid-input');
    expect(refusal(() => expectedVersions(many(101)))).to.equal('invalid-input');
  });
});
