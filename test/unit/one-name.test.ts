import { assert, expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const SOURCES = ['core', 'adapters', 'cli'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);

const TYPE = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm;
const EXPORTED = /^export (?:async )?(?:function\*?|const|let) (\w+)/gm;

/** Names that several files declare on purpose, and why. */
const SHARED: Readonly<Record<string, string>> = {
  findTasks: 'each store finds tasks, as `TaskReads` of the port says',
  countTasks: 'each store counts tasks, as `TaskReads` of the port says',
  transfers: 'bundles for browsers replace one file by the other',
  serve: 'a function of the library, and the command: commands are constants of their names',
};

/** The files that declare each name. A file may declare one several times, as overloads are. */
function declarations(pattern: RegExp): ReadonlyMap<string, ReadonlySet<string>> {
  const files = new Map<string, Set<string>>();
  for (const file of SOURCES) {
    for (const [, name] of readFileSync(join(ROOT, file), 'utf8').matchAll(pattern)) {
      files.set(name!, (files.get(name!) ?? new Set()).add(file));
    }
  }
  return files;
}

/** Each name with its files, as a search for the name finds them. */
function declaredTwice(pattern: RegExp): readonly string[] {
  return [...declarations(pattern)]
    .filter(([name, files]) => files.size > 1 && !Object.hasOwn(SHARED, name))
    .map(([name, files]) => `${name}: ${[...files].join(', ')}`);
}

describe('one name, one meaning', () => {
  it('finds the declarations it speaks of', () => {
    assert(declarations(TYPE).size > 500);
    assert(declarations(EXPORTED).size > 500);
  });

  it('a type is declared in one file', () => {
    expect(declaredTwice(TYPE)).to.deep.equal([]);
  });

  it('an exported function or constant is declared in one file', () => {
    expect(declaredTwice(EXPORTED)).to.deep.equal([]);
  });

  it('every exception is one', () => {
    const several = [...declarations(EXPORTED)].flatMap(([name, files]) => (files.size > 1 ? [name] : []));
    expect(several.sort()).to.deep.equal(Object.keys(SHARED).sort());
  });
});
