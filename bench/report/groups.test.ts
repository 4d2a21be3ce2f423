import { expect } from 'chai';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FILES } from './groups.ts';

const COMPILED = fileURLToPath(new URL('../..', import.meta.url));

/** The compiled files of these folders, in the form in which a profile names them. */
const files = ['core', 'adapters'].flatMap((folder) =>
  readdirSync(`${COMPILED}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .map((path) => `/dist/${folder}/${path}`),
);

describe('the groups of a profile', () => {
  // If a file is moved and its pattern is not, its time would go unnoticed into another group.
  for (const [pattern, group] of FILES) {
    for (const part of partsOf(pattern)) {
      it(`${group}: ${part.source} matches a file`, () => {
        expect(files.some((file) => part.test(file))).to.equal(true);
      });
    }
  }
});

/** The alternatives of a pattern that name files of this package, each file of a list alone. */
function partsOf({ source }: RegExp): RegExp[] {
  return source
    .split(/\|(?=\\\/(?:core|adapters)\\\/)/)
    .map((each) => each.split(/\|(?=\\\/node_modules|\^)/)[0]!)
    .filter((each) => /^\\\/(?:core|adapters)\\\//.test(each))
    .flatMap((each) => {
      const list = /^(.*\/)\(([^()]*)\)(\\\.js\$)$/.exec(each);
      if (list === null) return [each];
      return list[2]!.split('|').map((name) => `${list[1]}${name}${list[3]}`);
    })
    .map((each) => new RegExp(each));
}
