import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { useCases } from '../../../core/use-cases.ts';

const ROOT = join(import.meta.dirname, '../../../..');
/** In no file: a library user's code, on the built declarations, with a line for each use case. */
const CALLER = join(ROOT, 'caller.ts');
const NAMES = Object.entries(useCases).flatMap(([noun, verbs]) =>
  Object.keys(verbs as object).map((verb) => `${noun}.${verb}`),
);
const TEXT = [
  "import type { Session } from './dist/adapters/service/index.js';",
  'declare const ada: Session;',
  ...NAMES.map((name) => `void ada.${name};`),
  '',
].join('\n');

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
  createLanguageService(host: object): {
    getQuickInfoAtPosition(file: string, at: number): { readonly documentation?: readonly Part[] } | undefined;
  };
}

/** The service that editors use. The compiler of the build has none in JavaScript; the checker of the package brings one. */
function compiler(): Compiler {
  const checker = createRequire(join(ROOT, 'node_modules/@arethetypeswrong/core/package.json'));
  return checker('typescript') as Compiler;
}

describe('an editor', function () {
  this.timeout(60_000);

  it('shows the documentation of every use case of a session', () => {
    const ts = compiler();
    const options = {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      strict: true,
      skipLibCheck: true,
    };
    const read = (file: string) => (file === CALLER ? TEXT : existsSync(file) ? readFileSync(file, 'utf8') : undefined);
    const service = ts.createLanguageService({
      getCompilationSettings: () => options,
      getScriptFileNames: () => [CALLER],
      getScriptVersion: () => '1',
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
    const bare = NAMES.filter((name) => {
      const at = TEXT.indexOf(`void ada.${name};`) + `void ada.${name.split('.')[0]}.`.length;
      const shown = service.getQuickInfoAtPosition(CALLER, at)?.documentation ?? [];
      return shown.every(({ text }) => text.trim() === '');
    });
    expect(NAMES.length).to.be.greaterThan(50);
    expect(bare).to.deep.equal([]);
  });
});
