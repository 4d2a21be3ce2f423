import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Around, CliDirectory } from './in-process.ts';

/** One command of a line, as a shell splits it. */
interface Command {
  readonly words: string[];
  /** The file behind `<`, and the one behind `>`. */
  from?: string;
  to?: string;
}

/**
 * What a line prints, as a shell would run it in the directory: with quotes, variables, pipes and files, but only up to the
 * first program that is not Espalier. `NAME=$(command)` sets a variable of the directory, which lasts.
 *
 * @throws when a command does not end with 0
 */
export async function shell(here: CliDirectory, line: string, around: Around = {}): Promise<string> {
  const [, name, command, value] = /^(\w+)=(?:\$\((.*)\)|(.*))$/.exec(line) ?? [];
  if (name !== undefined) {
    here.env[name] = value ?? (await shell(here, command!, around)).trim();
    return '';
  }
  let stdout = '';
  for (const { words, from, to } of commandsIn(line, here.env)) {
    const [program, ...args] = words;
    if (program !== 'espalier') break;
    const stdin = from === undefined ? stdout : await readFile(join(here.path, from), 'utf8');
    ({ stdout } = await here.ok(args, { ...around, stdin }));
    // What lies in another directory is not written.
    if (to !== undefined && /^[\w.]+$/.test(to)) await writeFile(join(here.path, to), stdout);
  }
  return stdout;
}

function commandsIn(line: string, variables: Readonly<Record<string, string>>): readonly Command[] {
  const commands: Command[] = [{ words: [] }];
  const words = line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  for (let i = 0; i < words.length; i++) {
    const command = commands.at(-1)!;
    const word = words[i]!;
    if (word === '|' || word === '&&') commands.push({ words: [] });
    else if (word === '<') command.from = unquoted(words[++i]!, variables);
    else if (word === '>') command.to = unquoted(words[++i]!, variables);
    else command.words.push(unquoted(word, variables));
  }
  return commands;
}

/** A word without its quotes; variables are replaced outside of single ones. */
function unquoted(word: string, variables: Readonly<Record<string, string>>): string {
  return word.replace(/'([^']*)'|"|\$(\w+)/g, (_, single?: string, name?: string) =>
    name === undefined ? (single ?? '') : (variables[name] ?? ''),
  );
}
