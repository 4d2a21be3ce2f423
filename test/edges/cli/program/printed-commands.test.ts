import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { flagsFor } from '../../../../cli/completion/words.ts';
import { NOUNS } from '../../../../cli/nouns.ts';
import { aliasesOf, type Noun, type Verb } from '../../../../cli/verb.ts';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));

/** The lines of the pieces of code of a page that are for a shell. */
function linesIn(page: string): readonly string[] {
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)]
    .filter(([, language]) => ['', 'sh', 'bash', 'console'].includes(language!))
    .flatMap(([, , block]) => block!.split('\n'));
}

/** The commands of the program in the code of a page, word by word. */
function commandsIn(page: string): readonly (readonly string[])[] {
  const parts = linesIn(page).flatMap((line) => line.split(/ (?:\||&&) /));
  return parts
    .map((part) =>
      part
        .trim()
        .replace(/^\$ /, '')
        .replace(/^(?:[A-Z_]+=\S+ )+/, '')
        .replace(/^npx /, ''),
    )
    .filter((part) => part.startsWith('espalier '))
    .map((part) => {
      const words = [...part.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word);
      const end = words.findIndex((word) => /^(?:#$|[<>])/.test(word));
      return words.slice(1, end < 0 ? undefined : end);
    });
}

function verbOf(noun: Noun, word: string | undefined): Verb | undefined {
  const named = noun.verbs.find((verb) => verb.name === word || (word !== undefined && aliasesOf(verb).includes(word)));
  return named ?? noun.verbs.find(({ name, isDefault }) => name === '' || isDefault);
}

/** What is wrong with a command; null: nothing. */
async function faultOf(words: readonly string[]): Promise<string | null> {
  const at = words.findIndex((word) => NOUNS.some(({ name }) => name === word));
  const noun = await NOUNS.find(({ name }) => name === words[at])?.load();
  if (noun === undefined) return 'no such command';
  const verb = verbOf(noun, words[at + 1]);
  if (verb === undefined) return 'no such command';
  const flags = flagsFor(verb);
  const plain: string[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i]!;
    if (!word.startsWith('-') || word === '-') {
      plain.push(word);
      continue;
    }
    const known = flags.find((one) => one.flags.split(/[ ,]+/).includes(word.split('=')[0]!));
    if (known === undefined && !['--help', '--version'].includes(word)) return `no option ${word}`;
    if (known?.flags.includes('<') === true && !word.includes('=')) i += 1;
  }
  const given = plain.length - (plain[1] === verb.name || aliasesOf(verb).includes(plain[1] ?? '') ? 2 : 1);
  const args = verb.args ?? [];
  const least = args.filter(({ spec }) => spec.startsWith('<')).length;
  const most = args.some(({ spec }) => spec.includes('...')) ? Infinity : args.length;
  return given < least || given > most ? `${given} arguments` : null;
}

/** The documents by their paths. */
async function documents(): Promise<readonly string[]> {
  const docs = (await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md'));
  return ['README.md', 'SECURITY.md', 'examples/board/README.md', ...docs.map((name) => `docs/${name}`)];
}

describe('The commands in the documents', () => {
  it('are such as the program takes', async () => {
    let count = 0;
    const faults: string[] = [];
    for (const page of await documents()) {
      for (const words of commandsIn(await readFile(join(ROOT, page), 'utf8'))) {
        count += 1;
        const fault = await faultOf(words);
        if (fault !== null) faults.push(`${page}: espalier ${words.join(' ')}: ${fault}`);
      }
    }
    expect(count).to.be.greaterThan(150);
    expect(faults).to.deep.equal([]);
  });

  it('have no comments behind them, which zsh takes for arguments where somebody types', async () => {
    const commented: string[] = [];
    for (const page of await documents()) {
      const lines = linesIn(await readFile(join(ROOT, page), 'utf8'));
      commented.push(...lines.filter((line) => /\S +# /.test(line)).map((line) => `${page}: ${line}`));
    }
    expect(commented).to.deep.equal([]);
  });

  it('would be found if they were not', async () => {
    for (const wrong of ['taks list', 'task list --bord Dev', 'task show', 'board show Dev Ops']) {
      expect(await faultOf(wrong.split(' ')), wrong).not.to.equal(null);
    }
  });
});
