/** A JSON text that is to be refused, unless it is `legal`. */
export interface HostileText {
  readonly what: string;
  readonly text: string;
  readonly legal?: true;
}

const NUMBERS = ['1e400', '-1e400', '9007199254740993', '-9007199254740993', '1e21', '0.5', '1e-5', '1e308', '1001'];
const NO_NUMBERS = ['NaN', 'Infinity', '-Infinity', '-', '+1', '01', '0x10', '.5', '5.', '1_000', '1e', '0b1', '1n'];
const LEGAL_NUMBERS = ['-0', '0', '1E2', '100.0', '1e-400', '0e999'];

const DATES = [
  '2026-02-30',
  '2025-02-29',
  '1900-02-29',
  '2026-04-31',
  '2026-00-10',
  '2026-13-01',
  '2026-01-00',
  '2026-01-32',
  '2026-1-1',
  '20260101',
  '26-01-01',
  '+02026-01-01',
  '-2026-01-01',
  '12026-01-01',
  '2026-01-01T00:00:00Z',
  '2026-01-01 ',
  ' 2026-01-01',
  '2026/01/01',
  '01.01.2026',
  '２０２６-01-01',
  '2026‐01‐01',
  '2026-W01-1',
  '2026-001',
  'today',
  '0',
  '1767225600',
  '',
  '2026-01-01\u0000',
  '2026-01-01\n',
  "2026-01-01'--",
];

const OPERATORS: readonly unknown[] = [
  { $gt: '' },
  { $ne: null },
  { $in: [''] },
  { $where: 'sleep(1)' },
  { $regex: '.*' },
  { $expr: { $eq: [1, 1] } },
  { $set: { role: 40 } },
  { $oid: '000000000000000000000000' },
  { length: 3, 0: 'a' },
  { toString: 'x' },
  { toJSON: 'x' },
  { valueOf: 1 },
  [{ $gt: '' }],
  [[[]]],
];

export const PROTOTYPE_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  'then',
  '$gt',
  'a.b',
  '',
  'length',
  '\u0000',
];

const BROKEN = [
  '{',
  '}',
  '[',
  ']',
  '{]',
  'null',
  'true',
  '1',
  '"x"',
  '[]',
  '[{}]',
  '{"title"}',
  '{"title":}',
  '{"title":"a",}',
  "{'title':'a'}",
  '{title:"a"}',
  '{"title":"a"}{}',
  '{"title":"a"} x',
  '{"title":"\\x41"}',
  '{"title":"\\u12"}',
  '{"title":"a\nb"}',
  '{"title":"a\tb"}',
  '/* */{}',
  '{}//',
  '\u0000{}',
  '{}\u0000',
  '\u00a0{}',
  '<task/>',
  'title=a',
  '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\na\r\n--x--',
  'undefined',
  '',
  ' ',
];

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + '1' + close.repeat(depth);

/** Bodies for creating a task; `boardId` is of one that may be used. */
export function hostileTasks(boardId: string): readonly HostileText[] {
  const with_ = (field: string, json: string) => `{"title":"a","boardId":"${boardId}","${field}":${json}}`;
  const bad = (what: string, text: string): HostileText => ({ what, text });
  return [
    ...NUMBERS.map((one) => bad(`priority ${one}`, with_('priority', one))),
    ...NO_NUMBERS.map((one) => bad(`priority ${one}`, with_('priority', one))),
    ...LEGAL_NUMBERS.map((one) => ({ what: `priority ${one}`, text: with_('priority', one), legal: true as const })),
    ...['1e400', '9007199254740993', '4503599627370497', '-4503599627370497', '0.1'].map((one) =>
      bad(`statusOrderKey ${one}`, with_('statusOrderKey', one)),
    ),
    ...DATES.map((one) => bad(`date ${JSON.stringify(one)}`, with_('plannedStartDate', JSON.stringify(one)))),
    ...['title', 'boardId', 'priority', 'plannedEndDate', 'statusId', 'externalId'].flatMap((field) =>
      OPERATORS.map((one) => bad(`${field} ${JSON.stringify(one)}`, with_(field, JSON.stringify(one)))),
    ),
    ...PROTOTYPE_KEYS.map((key) =>
      bad(`key ${JSON.stringify(key)}`, with_(JSON.stringify(key).slice(1, -1), '{"a":1}')),
    ),
    ...['createdById', 'authorId', 'role', 'workspaceId', 'num', 'access', 'version', 'id'].map((key) =>
      bad(`a field that is not the caller's: ${key}`, with_(key, '1')),
    ),
    ...BROKEN.map((text) => bad(`broken ${JSON.stringify(text)}`, text)),
    ...[31, 32, 33, 1_000, 100_000].flatMap((depth) => [
      bad(`lists ${depth} deep`, with_('tags', nested(depth, '[', ']'))),
      bad(`objects ${depth} deep`, with_('title', nested(Math.min(depth, 50_000), '{"a":', '}'))),
      bad(`nothing but lists ${depth} deep`, '['.repeat(depth)),
    ]),
    bad('a list of 100,000 numbers', with_('tags', `[${'1,'.repeat(99_999)}1]`)),
    bad('a list of 300,000 nulls', with_('tags', `[${'null,'.repeat(150_000)}null]`)),
    bad('30,000 unknown fields', `{${Array.from({ length: 30_000 }, (_, i) => `"f${i}":1`).join(',')}}`),
    bad('a number of 500,000 digits', with_('priority', '9'.repeat(500_000))),
    bad('a title of 900,000 characters', with_('title', `"${'x'.repeat(900_000)}"`)),
    bad('a key of 900,000 characters', with_('x'.repeat(900_000), '1')),
    bad('more than a mebibyte', with_('description', `"${'x'.repeat(1_048_600)}"`)),
    bad('more than a mebibyte of white space', ' '.repeat(1_048_577)),
    bad('a field twice, the last one of the wrong type', with_('title', '1')),
    { what: 'a field twice', text: with_('title', '"b"'), legal: true },
    bad('an escaped prototype', with_('__pr\\u006fto__', '{}')),
  ];
}

/** Texts that no store keeps alike, or that pass for others. */
export const UNSTORABLE = ['\ud800', '\udfff', 'a\udc00b', '\ude00\ud83d', 'a\u0000b', '\u0000'];

/** Texts that are odd, and fine as a title. */
export const ODD = [
  '\u202eabc',
  '\u200b',
  '\ufeffa',
  'e\u0301',
  '\u{1F600}',
  '\u{10FFFF}',
  '\uffff',
  '\ufffd',
  'ﷺ',
  '𝕬',
  'a\r\nSet-Cookie: a=b',
  '<img src=x onerror=alert(1)>',
  "'; DROP TABLE tasks; --",
  '${7*7}{{7*7}}',
  '%s%n%x',
  '../../etc/passwd',
  'Z\u0351\u0352\u0353',
  'a\u2028\u2029b',
  '\u0007\u001b[31m',
  '=1+1',
];

/** None of them an alias, though some look like one. */
export const ALIASES = [
  'аcme',
  'acmе',
  'ａｃｍｅ',
  'ACME',
  'acme ',
  ' acme',
  'ac\u200bme',
  'acme\u0000',
  'acme\n',
  '-acme',
  'acme-',
  'a',
  '',
  '..',
  'a/b',
  'a%2fb',
  'a.b',
  'a_b',
  'café',
  'cafe\u0301',
  'ıi',
  'ſs',
  'K8',
  '__proto__',
  'x'.repeat(64),
  '\u{1F600}\u{1F600}',
];
