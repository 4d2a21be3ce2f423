import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** What the anchors of a page are called: as the sites that show Markdown call them. */
function anchorsIn(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#{1,6} +(.+)$/gm)].map(([, title]) => title!.toLowerCase());
  return new Set(headings.map((title) => title.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')));
}

/** The links of a page that lead to files, from the root, with their anchors. */
function linksIn(page: string, text: string): (readonly [path: string, anchor: string | undefined])[] {
  const prose = text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path, anchor] = target.split('#');
      return [path === '' ? page : normalize(join(dirname(page), path!)), anchor] as const;
    });
}

describe('the package', function () {
  this.timeout(60_000);
  let files: readonly string[];
  before(async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: ROOT });
    const [{ files: packed }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    files = packed.map(({ path }) => path);
  });

  it('holds all that its pages link to, headings too', () => {
    const pages = files.filter((path) => path.endsWith('.md') && !path.startsWith('dist/'));
    expect(pages).to.include.members(['README.md', 'SECURITY.md', 'docs/library.md', 'docs/http.md']);
    const broken: string[] = [];
    for (const page of pages) {
      for (const [path, anchor] of linksIn(page, readFileSync(join(ROOT, page), 'utf8'))) {
        const isFolder = files.some((file) => file.startsWith(`${path.replace(/\/$/, '')}/`));
        const isThere = files.includes(path) || isFolder;
        const hasAnchor =
          anchor === undefined || (isThere && anchorsIn(readFileSync(join(ROOT, path), 'utf8')).has(anchor));
        if (!isThere || !hasAnchor) broken.push(`${page}: ${path}${anchor === undefined ? '' : `#${anchor}`}`);
      }
    }
    expect(broken).to.deep.equal([]);
  });

  it('holds a source map with its sources for each module, and nothing made for one machine', () => {
    const modules = files.filter(
      (path) =>
        /^dist\/(?:core|adapters)\/.*\.js$/.test(path) &&
        existsSync(join(ROOT, path.replace(/^dist/, '.').replace(/js$/, 'ts'))),
    );
    expect(modules.length).to.be.greaterThan(200);
    for (const path of modules) {
      expect(files).to.include(`${path}.map`);
      const map = JSON.parse(readFileSync(join(ROOT, `${path}.map`), 'utf8')) as { sourcesContent?: string[] };
      expect(map.sourcesContent, path).to.have.length(1);
    }
    expect(files.filter((path) => /\.(?:bin|node|so|dylib|dll|exe|tsbuildinfo)$/.test(path))).to.deep.equal([]);
  });

  it('has a contract for stores whose tests take the time they need, whatever mocha grants', async () => {
    const args = ['--timeout', '1', '--grep', 'many pages meet', 'dist/test/stores/memory/store.test.js'];
    await run(process.execPath, [join(ROOT, 'node_modules/mocha/bin/mocha.js'), ...args], { cwd: ROOT });
  });

  it("holds its licences, and names no address that is nobody's", () => {
    // Addresses that are kept for examples would be shown as its own.
    const text = readFileSync(join(ROOT, 'package.json'), 'utf8');
    expect(text).not.to.match(/\.(?:example|invalid|test|localhost)\b|\bexample\.(?:com|org|net)\b/);
    for (const path of ['LICENSE', 'THIRD-PARTY-NOTICES']) expect(existsSync(join(ROOT, path)), path).to.equal(true);
  });
});
