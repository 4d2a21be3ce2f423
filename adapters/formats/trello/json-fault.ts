/** Where a text stops being JSON, and why. Lines and columns count from 1. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly detail: string;
}

const SPACE = /[ \t\n\r]*/y;
// eslint-disable-next-line no-control-regex
const STRING = /"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
// eslint-disable-next-line no-control-regex
const STRING_START = /"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * The first position at which `text` is not JSON. `JSON.parse` does not report it reliably. Null for well-formed JSON.
 * Takes time linear in the text, and no stack.
 */
export function jsonFault(text: string): JsonFault | null {
  const open: ('{' | '[')[] = [];
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return false;
    at += found[0].length;
    return true;
  };
  const fault = (expected: string): JsonFault => faultAt(text, at, expected);

  let expects: 'value' | 'first value' | 'key' | 'first key' | 'next' = 'value';
  for (;;) {
    take(SPACE);
    const sign = text[at];
    const closing = open.at(-1) === '{' ? '}' : ']';
    if (expects === 'next') {
      if (open.length === 0) return at === text.length ? null : fault('the end of the file');
      if (sign === ',') expects = open.at(-1) === '{' ? 'key' : 'value';
      else if (sign === closing) open.pop();
      else return fault(`"," or "${closing}"`);
      at++;
    } else if (sign === closing && open.length > 0 && expects.startsWith('first')) {
      open.pop();
      at++;
      expects = 'next';
    } else if (expects === 'key' || expects === 'first key') {
      if (!take(STRING)) return stringFault(text, at) ?? fault('a name in double quotes');
      take(SPACE);
      if (text[at] !== ':') return fault('":"');
      at++;
      expects = 'value';
    } else if (sign === '{' || sign === '[') {
      open.push(sign);
      at++;
      expects = sign === '{' ? 'first key' : 'first value';
    } else if (sign === '"') {
      if (!take(STRING)) return stringFault(text, at)!;
      expects = 'next';
    } else if (take(SCALAR)) expects = 'next';
    else return fault('a value');
  }
}

function stringFault(text: string, at: number): JsonFault | null {
  if (text[at] !== '"') return null;
  STRING_START.lastIndex = at;
  const end = at + (STRING_START.exec(text)?.[0].length ?? 0);
  return faultAt(text, end, end >= text.length ? 'the end of a text' : 'a text without raw control characters');
}

function faultAt(text: string, at: number, expected: string): JsonFault {
  const before = text.slice(0, at).split('\n');
  const position = { line: before.length, column: before.at(-1)!.length + 1 };
  if (at >= text.length) return { ...position, detail: `the file ends where ${expected} is expected` };
  return { ...position, detail: `${JSON.stringify(text[at])} stands where ${expected} is expected` };
}
