import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';

const ROOT = join(import.meta.dirname, '../../../..');
/** In no file: code of a library user. */
const CALLER = join(ROOT, 'caller.ts');
const TEXT = `
import { createEspalier, Level, Priority, Role, EspalierError, type ListTasks, type Session } from 'espalier';
import { memoryStore } from 'espalier/memory';
import { embeddedStore } from 'espalier/embedded';
import { mongodbStore } from 'espalier/mongodb';
import { createHttpApp, serve } from 'espalier/http';
import { createClient } from 'espalier/client';

const espalier = createEspalier({ store: memoryStore() });
const ada: Session = espalier.as('id');
const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme', defaultAccess: Level.View });
const asked: ListTasks = { workspaceId, assigneeId: ['me'], excludeTagId: ['none'], sort: ['-priority'], expand: ['status'] };
const { items } = await ada.tasks.list(asked);
const name: string | undefined = items[0]?.expanded?.status?.name;
// @ts-expect-error -- no such field
await ada.tasks.list({ workspaceId, titel: 1 });
// @ts-expect-error -- no such level
await ada.access.grant({ workspaceId, pageId: '', memberId: '', access: 150 });
await serve(espalier, { port: 0 });
export { name, Priority, Role, EspalierError, embeddedStore, mongodbStore, createHttpApp, createClient };
`;

/** TypeScript 5.0 as a package that brings no command of the same name as the compiler of the build. */
interface Bundled {
  readonly ts: Compiler;
  readonly getLibFiles: () => readonly { readonly fileName: string; readonly text: string }[];
}

interface Compiler {
  readonly version: string;
  createCompilerHost(options: object): { getSourceFile: (file: string, target: number) => unknown };
  createSourceFile(file: string, text: string, target: number): unknown;
  createProgram(files: readonly string[], options: object, host: object): object;
  getPreEmitDiagnostics(program: object): readonly { readonly messageText: unknown }[];
}

describe('the types of the package', function () {
  this.timeout(60_000);

  it('work with the least TypeScript that docs/library.md names', () => {
    const { ts, getLibFiles } = createRequire(import.meta.url)('@ts-morph/common') as Bundled;
    const [, least] = /TypeScript (\d+\.\d+) or later/.exec(readFileSync(join(ROOT, 'docs/library.md'), 'utf8'))!;
    expect(ts.version.startsWith(`${least}.`)).to.equal(true);
    // NodeNext, and ES2022.
    const options = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      module: 199,
      moduleResolution: 99,
      target: 9,
      types: ['node'],
    };
    const host = ts.createCompilerHost(options);
    const read = host.getSourceFile.bind(host);
    const libraries = new Map(getLibFiles().map(({ fileName, text }) => [`/lib/${fileName}`, text]));
    const own = {
      ...host,
      getCurrentDirectory: () => ROOT,
      fileExists: (file: string) => file === CALLER || libraries.has(file) || existsSync(file),
      getDefaultLibFileName: () => '/lib/lib.es2022.full.d.ts',
      getDefaultLibLocation: () => '/lib',
      getSourceFile: (file: string, target: number) => {
        const known = file === CALLER ? TEXT : libraries.get(file);
        return known === undefined ? read(file, target) : ts.createSourceFile(file, known, target);
      },
    };
    const found = ts.getPreEmitDiagnostics(ts.createProgram([CALLER], options, own));
    expect(found.map(({ messageText }) => messageText)).to.deep.equal([]);
  });
});
