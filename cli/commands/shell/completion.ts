import { usage } from '../../io/failure.ts';
import { candidates } from '../../completion/candidates.ts';
import { SCRIPTS } from '../../completion/scripts.ts';
import { unquoted } from '../../completion/words.ts';
import { option } from '../../option.ts';
import { type Noun, type NounEntry, verb } from '../../verb.ts';
import { lines, multiLine, oneLine, safe } from '../../io/safe-text.ts';

export const completion: Noun = {
  name: 'completion',
  summary: 'print a completion script for bash, zsh or fish',
  verbs: [
    verb({
      name: '',
      summary:
        'Print a completion script. It also completes workspaces, pages, boards, columns and people from the current store or service.',
      args: [{ spec: '<shell>', summary: 'bash, zsh or fish' }],
      examples: [
        'completion bash > ~/.local/share/bash-completion/completions/espalier',
        'completion zsh > "${fpath[1]}/_espalier"',
        'completion fish > ~/.config/fish/completions/espalier.fish',
      ],
      run(call) {
        const shell = call.arg(0);
        const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
        if (script === undefined) throw usage(`No completion for ${shell}: use ${Object.keys(SCRIPTS).join(', ')}.`);
        call.out.raw(multiLine(script));
        return Promise.resolve();
      },
    }),
  ],
};

/** Called by the completion scripts with the words so far, of which the last may be incomplete. Never fails. */
export function complete(nouns: readonly NounEntry[]): Noun {
  return {
    name: 'complete',
    summary: 'candidates for the completion scripts',
    verbs: [
      verb({
        name: '',
        summary: 'Print candidates for the last word, one per line, each with a tab and a description.',
        args: [{ spec: '[words...]', summary: 'the command line so far, without the name of the program' }],
        options: [option('--quoted', 'the words have quotes as in a shell')],
        async run(call) {
          const words = call.options.quoted ? call.args.map(unquoted) : call.args;
          const found = await candidates(call, words, nouns).catch(() => []);
          // Leaves out candidates that do not fit one line.
          const typed = found.filter(({ text }) => text === String(oneLine(text)));
          call.out.raw(
            lines(typed.map(({ text, about = '' }) => safe`${text}${about === '' ? '' : '\t'}${oneLine(about)}`)),
          );
        },
      }),
    ],
  };
}
