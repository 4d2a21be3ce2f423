import { assert, expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

function sourcesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(ROOT, folder, name));
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)'([^']+)'/g)].map((found) => found[1]!);
}

/** The part a file belongs to: `core`, `cli`, `test/contract`, `adapters/store-memory`, `adapters/formats/jsonl`. */
function partOf(file: string): string {
  const [top = '', adapter = '', format = ''] = relative(ROOT, file).split('/');
  if (top === 'test' && adapter === 'contract') return 'test/contract';
  if (top !== 'adapters') return top;
  return adapter === 'formats' ? `${top}/${adapter}/${format}` : `${top}/${adapter}`;
}

function rulesBrokenIn(folder: string, allowed: (from: string, to: string) => boolean): string[] {
  return sourcesIn(folder).flatMap((file) =>
    importsOf(file)
      .map((name) => (name.startsWith('.') ? partOf(resolve(dirname(file), name)) : name))
      .filter((to) => to !== partOf(file) && !allowed(partOf(file), to))
      .map((to) => `${relative(ROOT, file)} imports ${to}`),
  );
}

/** What adapters share: the repositories over ordered keys, the schemas, turns of the event loop, and counting for limits. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  'adapters/store-kv': ['adapters/event-loop'],
  'adapters/store-memory': ['adapters/event-loop', 'adapters/store-kv'],
  'adapters/store-embedded': ['adapters/event-loop', 'adapters/store-kv'],
  'adapters/schemas': ['adapters/event-loop'],
  'adapters/http': [
    'adapters/event-loop',
    'adapters/schemas',
    'adapters/identity',
    'adapters/formats/jsonl',
    'adapters/limiter',
    'adapters/metrics',
  ],
  'adapters/identity': ['adapters/schemas'],
  'adapters/metrics': ['adapters/schemas'],
  'adapters/store-mongodb': ['adapters/event-loop', 'adapters/limiter'],
  'adapters/client': ['adapters/schemas', 'adapters/formats/jsonl'],
  'adapters/formats/jsonl': ['adapters/schemas'],
  'adapters/formats/trello': ['adapters/schemas'],
};

describe('the dependency rule', () => {
  it('finds the files it speaks of', () => {
    assert(sourcesIn('core').length > 50);
  });

  it('core imports nothing but itself', () => {
    expect(rulesBrokenIn('core', () => false)).to.deep.equal([]);
  });

  it('an adapter imports core and packages, and no sibling but what they share; the container wires them', () => {
    const allowed = (from: string, to: string) =>
      to === 'core' || from === 'adapters/service' || !to.startsWith('adapters/')
        ? to !== 'cli' && to !== 'test'
        : (SHARED[from] ?? []).includes(to);
    expect(rulesBrokenIn('adapters', allowed)).to.deep.equal([]);
  });

  it('the published contract imports itself, core, parts of Node and what is installed with the package', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const allowed = (_from: string, to: string) =>
      to === 'core' || to.startsWith('node:') || to.startsWith('espalier/') || to in dependencies;
    expect(rulesBrokenIn('test/contract', allowed)).to.deep.equal([]);
  });

  it('the CLI imports no test', () => {
    expect(rulesBrokenIn('cli', (_from, to) => to !== 'test')).to.deep.equal([]);
  });

  it('the CLI does all it does by use cases: it reads no store', () => {
    const readers = sourcesIn('cli').filter((file) =>
      /\bstore\??\.(?:read|write)\(|core\/ports\/store/.test(readFileSync(file, 'utf8')),
    );
    expect(readers.map((file) => relative(ROOT, file))).to.deep.equal([]);
  });

  it('no import leads back to where it began', () => {
    const files = new Set(['core', 'adapters', 'cli'].flatMap(sourcesIn));
    const importsOfFile = (file: string) =>
      importsOf(file)
        .map((name) => resolve(dirname(file), name))
        .filter((name) => files.has(name));
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) {
        const circle = [...path.slice(path.indexOf(file)), file];
        circles.push(circle.map((one) => relative(ROOT, one)).join(' -> '));
      }
      if (done.has(file)) return;
      done.add(file);
      for (const next of importsOfFile(file)) visit(next, [...path, file]);
    };
    for (const file of files) visit(file, []);
    expect(circles).to.deep.equal([]);
  });
});
