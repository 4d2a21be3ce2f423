import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const TESTS = fileURLToPath(new URL('../../', import.meta.url));

async function pages(): Promise<readonly string[]> {
  const own = await readdir(ROOT);
  const below = await Promise.all(
    ['docs', 'examples'].map(async (folder) =>
      (await readdir(join(ROOT, folder), { recursive: true })).map((name) => join(folder, name)),
    ),
  );
  return [...own, ...below.flat()].filter((name) => name.endsWith('.md'));
}

/** The text of a page without its pieces of code. */
async function prose(page: string): Promise<string> {
  return (await readFile(join(ROOT, page), 'utf8')).replace(/^```[\s\S]*?^```/gm, '');
}

/** What the headings of a page are linked by. */
async function anchors(page: string): Promise<ReadonlySet<string>> {
  const headings = [...(await prose(page)).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Whether a relative link of a page leads to a file, and to a heading where it names one. */
async function leads(page: string, link: string): Promise<boolean> {
  const [path, anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path!);
  return existsSync(join(ROOT, target)) && (anchor === undefined || (await anchors(target)).has(anchor));
}

/** `a{,-b}.test.js` as `a.test.js` and `a-b.test.js`. */
function expanded(name: string): readonly string[] {
  const [, before, words, after] = /^(.*)\{(.*)\}(.*)$/.exec(name) ?? [];
  return words === undefined ? [name] : words.split(',').map((word) => `${before}${word}${after}`);
}

describe('The documents', () => {
  it('have no links that lead nowhere', async () => {
    const astray: string[] = [];
    let count = 0;
    for (const page of await pages()) {
      for (const [, link] of (await prose(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(link!)) continue;
        count += 1;
        if (!(await leads(page, link!))) astray.push(`${page}: ${link}`);
      }
    }
    expect(count).to.be.greaterThan(50);
    expect(astray).to.deep.equal([]);
  });

  it('name tests of the promises of security that there are', async () => {
    const named = [...(await prose('SECURITY.md')).matchAll(/`([\w/{},-]+\.test\.js)`/g)].flatMap(([, name]) =>
      expanded(name!),
    );
    expect(named.length).to.be.greaterThan(100);
    expect(named.filter((name) => !existsSync(join(TESTS, name)))).to.deep.equal([]);
  });
});
