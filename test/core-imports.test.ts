import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

function sourcesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(ROOT, folder, name));
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((found) => found[1]!);
}

/** The room a file lives in: `core`, `cli`, `adapters/memory`. */
function roomOf(file: string): string {
  const [top = '', room = ''] = relative(ROOT, file).split('/');
  return top === 'adapters' ? `${top}/${room}` : top;
}

function rulesBrokenIn(folder: string, allowed: (from: string, to: string) => boolean): string[] {
  return sourcesIn(folder).flatMap((file) =>
    importsOf(file)
      .map((name) => (name.startsWith('.') ? roomOf(resolve(dirname(file), name)) : name))
      .filter((to) => to !== roomOf(file) && !allowed(roomOf(file), to))
      .map((to) => `${relative(ROOT, file)} imports ${to}`),
  );
}

/** What adapters share: the repositories over ordered keys, the schemas, and counting for limits. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  'adapters/memory': ['adapters/kv'],
  'adapters/embedded': ['adapters/kv'],
  'adapters/http': ['adapters/schemas', 'adapters/identity', 'adapters/jsonl', 'adapters/limiter', 'adapters/metrics'],
  'adapters/identity': ['adapters/schemas'],
  'adapters/mongodb': ['adapters/limiter'],
  'adapters/client': ['adapters/schemas', 'adapters/jsonl'],
  'adapters/trello': ['adapters/schemas'],
};

describe('the dependency rule', () => {
  it('finds the files it speaks of', () => {
    assert.ok(sourcesIn('core').length > 50);
  });

  it('core imports nothing but itself', () => {
    assert.deepEqual(
      rulesBrokenIn('core', () => false),
      [],
    );
  });

  it('an adapter imports core and packages, and no sibling but what they share; the container wires them', () => {
    const allowed = (from: string, to: string) =>
      to === 'core' || from === 'adapters/container' || !to.startsWith('adapters/')
        ? to !== 'cli' && to !== 'test'
        : (SHARED[from] ?? []).includes(to);
    assert.deepEqual(rulesBrokenIn('adapters', allowed), []);
  });

  it('the CLI imports no test', () => {
    assert.deepEqual(
      rulesBrokenIn('cli', (_from, to) => to !== 'test'),
      [],
    );
  });
});
