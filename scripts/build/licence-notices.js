// The licence notices of packages whose code is copied into this one: read from the packages, written as one text.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RULE = '='.repeat(80);
const NOTICE_FILE = /^(?:licen[cs]es?|notice|copying)(?:$|[-.](?!js$|ts$|map$))/i;
const PACKAGE = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//;

const MIT = ` It reads:

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/**
 * @param {Iterable<string>} inputs paths of source files, as a metafile of esbuild lists them
 * @returns {string[]} the folders of the packages that they belong to; own files belong to none
 */
function packageFolders(inputs) {
  return [...new Set([...inputs].flatMap((path) => PACKAGE.exec(path)?.[1] ?? []))].sort();
}

/**
 * The file that goes into the package.
 *
 * @param {readonly string[]} inputs the source files of the bundle
 * @param {readonly string[]} boardInputs those of the board
 */
export function thirdPartyNotices(inputs, boardInputs) {
  const noticesOf = (paths) => noticesText(packageFolders(paths).map((folder) => noticeOf(folder)));
  const reference = readFileSync(fileURLToPath(new URL('reference-notices.txt', import.meta.url)), 'utf8');
  return `This package carries code of other packages. These are their notices and licences.

1. In the command line, dist/bin

${noticesOf(inputs)}
2. In the board of the service, dist/adapters/http/board

${noticesOf(boardInputs)}
3. In the reference page of the service, dist/adapters/http/reference: @scalar/api-reference, and what is bundled in it

${reference}`;
}

/** The licence text of a package. Throws if it has none. */
export function noticeOf(folder, { withVersion = true } = {}) {
  const { name, version, license, licenses, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const kind = license?.type ?? license ?? licenses?.[0]?.type;
  if (typeof kind !== 'string') throw new Error(`${name} names no licence in its package.json`);
  const texts = filesOf(folder).map((file) => tidy(readFileSync(file, 'utf8')));
  const by = typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`);
  if (texts.length === 0) {
    texts.push(
      `Copyright (c) ${by}\n\nThe package brings no text of its licence, ${kind}.${kind === 'MIT' ? MIT : ''}`,
    );
  }
  return { title: `${name}${withVersion ? ` ${version}` : ''} (${kind})`, text: texts.join('\n\n') };
}

/** Packages with the same text stand above it together. */
export function noticesText(notices) {
  const groups = new Map();
  for (const notice of notices) groups.set(notice.text, [...(groups.get(notice.text) ?? []), notice]);
  return [...groups]
    .map(([text, group]) => `${RULE}\n${group.map(({ title }) => title).join('\n')}\n${RULE}\n\n${text}\n`)
    .join('\n');
}

function filesOf(folder) {
  return readdirSync(folder)
    .filter((name) => NOTICE_FILE.test(name))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? readdirSync(path).map((inside) => join(path, inside)) : [path];
    });
}

function tidy(text) {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .trim();
}
