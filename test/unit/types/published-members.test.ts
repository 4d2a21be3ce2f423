import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { useCases } from '../../../core/use-cases.ts';

const ROOT = join(import.meta.dirname, '../../../..');

interface Declaration {
  readonly parent: { readonly kind: number };
  getSourceFile(): { readonly fileName: string };
}

interface TypeSymbol {
  readonly name: string;
  readonly flags: number;
  readonly declarations?: readonly Declaration[];
  getDocumentationComment(checker: Checker): readonly unknown[];
  getJsDocTags(checker: Checker): readonly unknown[];
}

/** The part of the checker of TypeScript that is used here. */
interface Checker {
  getSymbolAtLocation(file: unknown): TypeSymbol;
  getExportsOfModule(module: TypeSymbol): readonly TypeSymbol[];
  getAliasedSymbol(symbol: TypeSymbol): TypeSymbol;
  getDeclaredTypeOfSymbol(symbol: TypeSymbol): unknown;
  getPropertiesOfType(type: unknown): readonly TypeSymbol[];
}

interface Compiler {
  readonly SymbolFlags: {
    readonly Alias: number;
    readonly Interface: number;
    readonly Class: number;
    readonly TypeAlias: number;
  };
  displayPartsToString(parts: readonly unknown[]): string;
  readonly SyntaxKind: { readonly InterfaceDeclaration: number; readonly ClassDeclaration: number };
  readonly ModuleKind: { readonly NodeNext: number };
  createProgram(files: readonly string[], options: object): Program;
}

interface Program {
  getTypeChecker(): Checker;
  getSourceFile(file: string): unknown;
}

/** The files with the declarations that the package publishes. */
function publishedFiles(): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  return Object.values(manifest.exports).flatMap((entry) => (typeof entry === 'string' ? [] : join(ROOT, entry.types)));
}

/** What the package publishes by name. */
interface Published {
  /** What an editor shows of each type; empty: nothing. */
  readonly types: ReadonlyMap<string, string>;
  /** Members of interfaces and classes, as `Store.read`, with whether an editor shows anything of them. */
  readonly members: ReadonlyMap<string, boolean>;
}

function published(): Published {
  const checkerOf = createRequire(join(ROOT, 'node_modules/@arethetypeswrong/core/package.json'));
  const ts = checkerOf('typescript') as Compiler;
  const files = publishedFiles();
  const options = { module: ts.ModuleKind.NodeNext, strict: true, skipLibCheck: true, types: ['node'] };
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const { InterfaceDeclaration, ClassDeclaration } = ts.SyntaxKind;
  const isOwn = ({ declarations = [] }: TypeSymbol) =>
    declarations.some(
      (one) =>
        one.getSourceFile().fileName.startsWith(join(ROOT, 'dist')) &&
        [InterfaceDeclaration, ClassDeclaration].includes(one.parent.kind),
    );
  const types = new Map<string, string>();
  const members = new Map<string, boolean>();
  const { Alias, Interface, Class, TypeAlias } = ts.SymbolFlags;
  for (const file of files) {
    for (const exported of checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)))) {
      const symbol = (exported.flags & Alias) === 0 ? exported : checker.getAliasedSymbol(exported);
      if ((symbol.flags & (Interface | Class | TypeAlias)) === 0) continue;
      types.set(symbol.name, ts.displayPartsToString(symbol.getDocumentationComment(checker)));
      if ((symbol.flags & (Interface | Class)) === 0) continue;
      for (const member of checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).filter(isOwn)) {
        if (member.name.startsWith('#')) continue;
        const shown = [...member.getDocumentationComment(checker), ...member.getJsDocTags(checker)];
        members.set(`${symbol.name}.${member.name}`, shown.length > 0);
      }
    }
  }
  return { types, members };
}

/** The options in the tables of a page, by the name in the head of each table. */
function optionsIn(page: string): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const tables = text.matchAll(/^\| `(\w+)` +\| Default .*\n\|[ |-]+\n((?:\|.*\n)+)/gm);
  return new Map(
    [...tables].map(([, head, rows]) => [
      head!,
      rows!.split('\n').flatMap((row) => [...row.split(' | ')[0]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!)),
    ]),
  );
}

/** What takes options, and their type. */
const TAKES = {
  createEspalier: 'Parts',
  embeddedStore: 'EmbeddedOptions',
  mongodbStore: 'MongodbStoreOptions',
  createClient: 'ClientOptions',
} as const;

describe('the published types', function () {
  this.timeout(60_000);
  let types: Published['types'];
  let members: Published['members'];
  before(() => {
    ({ types, members } = published());
  });

  it('have their options in docs/library.md', () => {
    const shown = optionsIn('docs/library.md');
    for (const [taker, type] of Object.entries(TAKES)) {
      const names = [...members.keys()].filter((name) => name.startsWith(`${type}.`));
      expect(shown.get(taker), taker).to.have.members(names.map((name) => name.slice(type.length + 1)));
    }
  });

  it('say of each type what it is', () => {
    expect(types.size).to.be.greaterThan(300);
    expect([...types].filter(([, shown]) => shown === '').map(([name]) => name)).to.deep.equal([]);
  });

  it('name only use cases that are there', () => {
    const known = Object.entries(useCases).flatMap(([noun, verbs]) =>
      Object.keys(verbs).map((verb) => `${noun}.${verb}`),
    );
    const named = [...types.values()].flatMap((shown) =>
      [...shown.matchAll(/(?:`[\w.]+` and )?`[\w.]+` (?:takes?|answers)\b/g)].flatMap(([words]) =>
        words.match(/\w+\.\w+/g)!,
      ),
    );
    expect(named.filter((name) => !known.includes(name))).to.deep.equal([]);
    expect(named.length).to.be.greaterThan(70);
  });

  it('say of each member of an interface what it is', () => {
    expect(members.size).to.be.greaterThan(500);
    expect([...members].filter(([, isShown]) => !isShown).map(([name]) => name)).to.deep.equal([]);
  });
});
