import type { Command } from 'commander';
import { shellWord } from './shell-word.ts';
import { commandHere, wordHere } from '../refs/other-words.ts';

/**
 * The message for a command line that the parser refuses: what is wrong, what may have been meant, and where to find
 * help.
 *
 * @param text the parser's message
 * @param forText the option that a word without a flag is likely meant for
 */
export function mistakeIn(text: string, command: Command, forText?: string): readonly string[] {
  const [message = '', near] = text
    .trimEnd()
    .replace(/^error: /, '')
    .split(/\n(?=\(Did you mean)/);
  const [, kind, word = ''] = /^unknown (command|option) '([^'=]+)/.exec(message) ?? [];
  if (kind === 'option')
    return refusal(message, hintFor(word, optionsOf(command)) ?? near ?? textHint(word, command), command);
  if (kind === 'command') return refusal(message, commandFor(word, command) ?? near, command);
  if (message.startsWith('required option')) return refusal(message, optionHint(command, forText), command);
  if (!message.startsWith('too many arguments')) return refusal(message, undefined, command);
  const noun = runsUnnamed(command) ? command.parent : null;
  const stray = command.args[0]!;
  return noun === null
    ? refusal(message, optionHint(command, forText), command)
    : refusal(`unknown command '${stray}'`, commandFor(stray, noun), noun);
}

function refusal(message: string, meant: string | undefined, command: Command): readonly string[] {
  const help = `  See ${pathOf(command)} --help`;
  return [`espalier: ${message}`, ...(meant === undefined ? [] : [meant]), help];
}

/** @param command the program, or the noun of which the word was read as a command */
function commandFor(word: string, command: Command): string | undefined {
  if (command.parent === null) return hint(commandHere(word));
  return hintFor(word, verbsOf(command)) ?? hint(commandHere(`${command.name()} ${word}`));
}

function hintFor(word: string, known: readonly string[]): string | undefined {
  return hint(wordHere(word, known));
}

function hint(meant: string | undefined): string | undefined {
  return meant === undefined ? undefined : `(Did you mean ${meant}?)`;
}

/**
 * A hint for a command that takes words, which may begin with a dash. No hint for a word that can only be a misspelt
 * option.
 */
function textHint(word: string, { registeredArguments }: Command): string | undefined {
  return registeredArguments.length === 0 || /^--[a-z][\w-]*$/i.test(word)
    ? undefined
    : '(Put -- before words that begin with a dash but are not options.)';
}

/** The option with the word that was given without it: `--title 'Write the spec'`. */
function optionHint({ args: [word] }: Command, forText: string | undefined): string | undefined {
  return word === undefined || word.startsWith('-') || forText === undefined
    ? undefined
    : hint(`${forText} ${shellWord(word)}`);
}

function verbsOf(command: Command): readonly string[] {
  return command.commands.map((one) => one.name());
}

/** The long flags of a command, and the global ones. */
function optionsOf(command: Command): readonly string[] {
  const own = command.options.flatMap(({ long }) => long ?? []);
  return command.parent === null ? own : [...own, ...optionsOf(command.parent)];
}

/** Whether the command runs because no verb was named, and takes no words. */
function runsUnnamed(command: Command): boolean {
  const { parent } = command;
  if (parent === null || parent.parent === null || command.registeredArguments.length > 0) return false;
  return ![command.name(), ...command.aliases()].includes(parent.args[0] ?? '');
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
