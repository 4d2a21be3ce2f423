import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

/** Seen from `dist/test/edges/cli/program`. */
const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const RULE = `${'='.repeat(80)}\n`;

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The packages that the notices are of, as they name them, and the text of each. */
function notices(): ReadonlyMap<string, string> {
  const [, ...parts] = read('THIRD-PARTY-NOTICES').split(RULE);
  const found = new Map<string, string>();
  for (let i = 0; i < parts.length; i += 2) {
    for (const title of parts[i]!.trim().split('\n')) found.set(title.replace(/ \([^ ].*$/, ''), parts[i + 1]!);
  }
  return found;
}

describe('Code of other packages in this one', () => {
  it('is named with its licence wherever the board is bundled of it', () => {
    const inputs = JSON.parse(read('dist/bundled-board.json')) as readonly string[];
    const folders = new Set(inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
    expect([...folders]).to.include.members(['node_modules/preact', 'node_modules/@atlaskit/pragmatic-drag-and-drop']);
    const [, ofBoard] = read('THIRD-PARTY-NOTICES').split(/^[23]\. In the /m);
    for (const folder of folders) {
      const { name, version } = JSON.parse(read(`${folder}/package.json`)) as Record<string, string>;
      expect(ofBoard).to.include(`${name} ${version} (`);
    }
  });

  it('is named with its licence wherever the command line is bundled of it', () => {
    const inputs = JSON.parse(read('dist/bundled.json')) as readonly string[];
    const folders = new Set(inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
    const titles = [...folders].map((folder) => {
      const { name, version } = JSON.parse(read(`${folder}/package.json`)) as Record<string, string>;
      return `${name} ${version}`;
    });
    expect(titles).to.include.members([`commander ${versionOf('commander')}`, `ajv ${versionOf('ajv')}`]);
    const found = notices();
    for (const title of titles) expect(found.get(title), title).to.match(/copyright|licen[cs]e/i);
  });

  it('is named for all that is bundled in the reference page', () => {
    const found = notices();
    for (const name of ['vue', 'zod', 'highlight.js', '@codemirror/view', 'tailwindcss', 'micromark']) {
      expect(found.get(name), name).to.match(/copyright|licen[cs]e/i);
    }
    // Of the same release as the script: scripts/build/reference-notices.js says how to write them anew.
    const version = versionOf('@scalar/fastify-api-reference');
    expect([...found.keys()]).to.include(`@scalar/api-reference ${version}`);
    expect(read('dist/adapters/http/reference/scalar.js')).to.include(`@scalar/api-reference@${version}`);
  });

  it('keeps the comments about its licence', () => {
    const source = readFileSync(createRequire(import.meta.url).resolve('reflect-metadata/lite'), 'utf8');
    expect(source).to.include('Copyright (C) Microsoft');
    const files = readdirSync(join(ROOT, 'dist/bin')).filter((name) => /\.(?:js|txt)$/.test(name));
    expect(files.some((name) => read(`dist/bin/${name}`).includes('Copyright (C) Microsoft'))).to.equal(true);
  });

  it('is in the package together with its notices', function () {
    this.timeout(60_000);
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'];
    const packed = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' })) as unknown;
    const [{ files }] = (Array.isArray(packed) ? packed : Object.values(packed as object)) as [
      { readonly files: readonly { readonly path: string }[] },
    ];
    const paths = files.map(({ path }) => path);
    expect(paths).to.include.members(['THIRD-PARTY-NOTICES', 'LICENSE', 'dist/bin/espalier.js']);
    expect(paths).to.include('dist/adapters/http/reference/scalar.js');
    const board = paths.filter((path) => path.startsWith('dist/adapters/http/board/'));
    expect(board.map((path) => path.slice('dist/adapters/http/board/'.length)).sort()).to.deep.equal([
      'board.css',
      'board.js',
      'index.html',
      'sample.jsonl',
    ]);
  });
});

function versionOf(name: string): string {
  return (JSON.parse(read(`node_modules/${name}/package.json`)) as { readonly version: string }).version;
}
