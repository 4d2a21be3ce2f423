import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { operations } from '../../../adapters/schemas/index.ts';
import { useCases } from '../../../core/use-cases.ts';

const ROOT = join(import.meta.dirname, '../../../..');
/** In no file: a library user's code, on the built declarations. */
const CALLER = join(ROOT, 'caller.ts');
const NAMES = Object.entries(useCases).flatMap(([noun, verbs]) =>
  Object.keys(verbs as object).map((verb) => `${noun}.${verb}`),
);

interface Part {
  readonly text: string;
}

/** The part of the TypeScript language service that is used here. */
interface Compiler {
  readonly ScriptSnapshot: { fromString(text: string): unknown };
  readonly ModuleKind: { readonly NodeNext: number };
  readonly ModuleResolutionKind: { readonly NodeNext: number };
  readonly ScriptTarget: { readonly ES2023: number };
  getDefaultLibFilePath(options: unknown): string;
  createLanguageService(host: object): Service;
}

interface Service {
  getSemanticDiagnostics(file: string): readonly { readonly messageText: unknown }[];
  getQuickInfoAtPosition(file: string, at: number): QuickInfo | undefined;
  dispose(): void;
}

interface QuickInfo {
  readonly tags?: readonly { readonly text?: readonly Part[] }[];
  readonly documentation?: readonly Part[];
  readonly displayParts?: readonly (Part & { readonly kind: string })[];
}

/** The service that editors use. The compiler of the build has none in JavaScript; the checker of the package brings one. */
function compiler(): Compiler {
  const checker = createRequire(join(ROOT, 'node_modules/@arethetypeswrong/core/package.json'));
  return checker('typescript') as Compiler;
}

/** What the caller's file holds, and how often it has been written. */
const caller = { code: '', version: 0 };
let ts: Compiler;
/** One for all tests, as an editor has: it reads the declarations once. */
let service: Service;

function openService(): Service {
  const options = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    skipLibCheck: true,
    types: [],
  };
  const read = (file: string) =>
    file === CALLER ? caller.code : existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [CALLER],
    getScriptVersion: (file: string) => (file === CALLER ? `${caller.version}` : '1'),
    getScriptSnapshot: (file: string) => {
      const text = read(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => ROOT,
    getDefaultLibFileName: (given: unknown) => ts.getDefaultLibFilePath(given),
    fileExists: (file: string) => file === CALLER || existsSync(file),
    directoryExists: existsSync,
    readFile: read,
  });
}

/** What an editor shows for the last name of each expression. @throws where one does not compile */
function hovers(head: readonly string[], expressions: readonly string[]): (QuickInfo | undefined)[] {
  caller.code = [...head, ...expressions.map((expression) => `void ${expression};`), ''].join('\n');
  caller.version += 1;
  expect(service.getSemanticDiagnostics(CALLER).map(({ messageText }) => messageText)).to.deep.equal([]);
  let at = head.join('\n').length + 1;
  return expressions.map((expression) => {
    const end = at + `void ${expression}`.length;
    at = end + 2;
    return service.getQuickInfoAtPosition(CALLER, end - 1);
  });
}

/** Those of the expressions whose last name has no documentation. */
function undocumented(head: readonly string[], expressions: readonly string[]): string[] {
  const shown = hovers(head, expressions);
  return expressions.filter((_, i) => (shown[i]?.documentation ?? []).every(({ text }) => text.trim() === ''));
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly readOnly?: boolean;
  readonly anyOf?: readonly Schema[];
}

/** The way to each field of a value, in TypeScript. Of a value that is one of several records no field is sure to be there. */
function fieldsIn(value: string, { properties = {}, items, anyOf }: Schema): string[] {
  if (items !== undefined) return fieldsIn(`${value}[0]!`, items);
  if (anyOf !== undefined) {
    const [one, ...others] = anyOf.filter((each) => each.properties !== undefined || each.items !== undefined);
    return one === undefined || others.length > 0 ? [] : fieldsIn(value, one);
  }
  const own = Object.entries(properties).filter(([, schema]) => schema.readOnly !== true);
  return own.flatMap(([name, schema]) => {
    const deeper = fieldsIn(`${value}.${name}!`, schema);
    return [`${value}.${name}`, ...deeper];
  });
}

/** Errors of a repeated call, of whichever use case. */
const OF_REPEATING: ReadonlySet<string> = new Set(['replay-hidden', 'secret-not-kept']);

/** Names of types that nobody has to import. */
const OF_TYPESCRIPT: ReadonlySet<string> = new Set(['Promise', 'NonNullable']);

describe('an editor', function () {
  this.timeout(60_000);

  before(() => {
    ts = compiler();
    service = openService();
  });
  after(() => service.dispose());

  it('shows the documentation of every use case of a session', () => {
    const head = ["import type { Session } from './dist/adapters/service/index.js';", 'declare const ada: Session;'];
    expect(NAMES.length).to.be.greaterThan(50);
    expect(
      undocumented(
        head,
        NAMES.map((name) => `ada.${name}`),
      ),
    ).to.deep.equal([]);
  });

  it('shows the errors of every use case that the OpenAPI document names for its operation', () => {
    const head = ["import type { Session } from './dist/adapters/service/index.js';", 'declare const ada: Session;'];
    const shown = hovers(
      head,
      operations.map(({ useCase }) => `ada.${useCase}`),
    );
    const lacking = operations.flatMap(({ useCase, codes, conditional, forEverybody }, i) => {
      const all = [...codes, ...(conditional ? ['version-mismatch'] : []), ...(forEverybody ? [] : ['forbidden'])];
      const text = (shown[i]?.tags ?? []).flatMap((tag) => (tag.text ?? []).map((part) => part.text)).join('');
      return all
        .filter((code) => !OF_REPEATING.has(code) && !text.includes(`\`${code}\``))
        .map((code) => `${useCase} ${code}`);
    });
    expect(lacking).to.deep.equal([]);
  });

  /** A constant for what each operation takes, and one for what it gives. */
  const values = () => {
    const head = [
      "import type { Session } from './dist/adapters/service/index.js';",
      'type Item<T> = T extends { readonly items: readonly (infer I)[] } ? I : T;',
    ];
    const named = operations.map((operation) => {
      const [noun, verb] = operation.useCase.split('.');
      const run = `Session['${noun}']['${verb}']`;
      const result = `Awaited<ReturnType<${run}>>`;
      const [given, got] = [`given_${noun}_${verb}`, `got_${noun}_${verb}`];
      head.push(`declare const ${given}: NonNullable<Parameters<${run}>[0]>;`);
      head.push(`declare const ${got}: ${operation.paged ? `Item<${result}>` : result};`);
      return { ...operation, given, got };
    });
    return { head, named };
  };

  it('shows the documentation of every field of inputs and records', () => {
    const { head, named } = values();
    const fields = named.flatMap(({ given, got, input, output }) => [
      ...fieldsIn(given, input as Schema),
      ...(output === null ? [] : fieldsIn(got, output as Schema)),
    ]);
    expect(fields.length).to.be.greaterThan(1_000);
    // TypeScript keeps no documentation of names that it computes: these are the filters' the other way round.
    const computed = /^given_tasks_(?:list|(?:update|delete)Many\.filter!)\.exclude[A-Z]/;
    expect(undocumented(head, fields).filter((field) => !computed.test(field))).to.deep.equal([]);
  });

  it('can import the type of every input and record by its name', () => {
    const { head, named } = values();
    const all = named.flatMap(({ given, got, output }) => [given, ...(output === null ? [] : [got])]);
    const names = hovers(head, all).flatMap((shown) =>
      (shown?.displayParts ?? []).filter(({ kind }) => /^(?:interface|alias)Name$/.test(kind)).map(({ text }) => text),
    );
    expect(new Set(names).size).to.be.greaterThan(70);
    const imported = [...new Set(names)].filter((name) => !OF_TYPESCRIPT.has(name)).sort();
    hovers([`import type { ${imported.join(', ')} } from './dist/adapters/service/index.js';`], []);
  });

  it('finds levels, roles and priorities by name', () => {
    const head = ["import { Level, Priority, Role, type GrantAccess } from './dist/adapters/service/index.js';"];
    hovers(head, [
      '(Level.Comment satisfies GrantAccess["access"])',
      '(Role.Admin satisfies Role)',
      '(Priority.Urgent satisfies number)',
    ]);
    expect(undocumented(head, ['Level.Comment', 'Role.Guest'])).to.deep.equal([]);
  });
});
