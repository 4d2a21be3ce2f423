import { expect } from 'chai';
import { useCases } from '../../../../core/use-cases.ts';
import { NOUNS } from '../../../../cli/nouns.ts';
import { safeIo } from '../../../../cli/io/io.ts';
import { programFor } from '../../../../cli/program.ts';
import { cli } from '../in-process.ts';

describe('Commands', () => {
  it('there is one for every use case of the engine', async () => {
    const nouns = await Promise.all(NOUNS.map((entry) => entry.load()));
    const reached = new Set<string>(nouns.flatMap(({ verbs }) => verbs.flatMap(({ uses }) => uses ?? [])));
    const all = Object.entries(useCases).flatMap(([noun, verbs]) =>
      Object.keys(verbs).map((verb) => `${noun}.${verb}`),
    );
    expect(all.filter((name) => !reached.has(name))).to.deep.equal([]);
    expect([...reached].filter((name) => !all.includes(name))).to.deep.equal([]);
  });

  it('each has help with an example that names it', async () => {
    for (const entry of NOUNS.filter(({ hidden }) => !hidden)) {
      const noun = await entry.load();
      expect(noun.name).to.equal(entry.name);
      for (const verb of noun.verbs) {
        const words = [noun.name, verb.name].filter(Boolean);
        const { code, stdout } = await cli(words.length > 1 ? [...words, '--help'] : ['help', ...words]);
        expect(code, words.join(' ')).to.equal(0);
        expect(stdout, words.join(' ')).to.include(`$ espalier ${words.join(' ')}`);
      }
    }
  });

  it('the top shows every noun, and loads none', async () => {
    const { stdout } = await cli(['--help']);
    for (const { name, hidden } of NOUNS) {
      expect(new RegExp(`^  ${name}\\b`, 'm').test(stdout), name).to.equal(hidden !== true);
    }
  });

  it('no options of one command clash', async () => {
    const io = safeIo({
      stdout: { write: () => true },
      stderr: { write: () => true },
      stdin: { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: '' }) }) },
      env: {},
      cwd: '.',
      stop: new AbortController().signal,
    });
    const program = await programFor('all', io);
    const global = program.options.map((option) => option.attributeName());
    for (const noun of program.commands) {
      for (const verb of [noun, ...noun.commands]) {
        const own = verb.options.filter(({ negate }) => !negate).map((option) => option.attributeName());
        expect(new Set(own).size, verb.name()).to.equal(own.length);
        expect(
          own.filter((name) => global.includes(name)),
          `${noun.name()} ${verb.name()}`,
        ).to.deep.equal([]);
      }
    }
  });
});
