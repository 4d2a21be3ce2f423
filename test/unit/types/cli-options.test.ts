import { expect } from 'chai';
import { option, settingOption, type OptionValues } from '../../../cli/option.ts';

const OPTIONS = [
  option('-t, --title <text>', 'a text'),
  option('--order-key <number>', 'in two words', { required: true }),
  option('--tag <tag>', 'a list', { many: true }),
  option('--type <type>', 'a choice', { choices: ['folder', 'board'] }),
  option('--dry-run', 'a flag'),
  option('--done', 'both ways'),
  option('--no-done', 'both ways'),
  settingOption('port', '<number>', 'read from the settings'),
];

interface Expected {
  readonly title: string | undefined;
  readonly orderKey: string;
  readonly tag: readonly string[] | undefined;
  readonly type: 'folder' | 'board' | undefined;
  readonly dryRun: true | undefined;
  readonly done: boolean | undefined;
}

describe('The options of a command', () => {
  it('have the names and types that their flags declare, which the compiler checks', () => {
    const given: OptionValues<typeof OPTIONS> = {
      title: undefined,
      orderKey: '1',
      tag: [],
      type: 'folder',
      dryRun: true,
      done: false,
    };
    const expected: Expected = given;
    const back: OptionValues<typeof OPTIONS> = expected;
    // @ts-expect-error no flag has this name
    expect(given.titel).to.equal(undefined);
    expect(back).to.equal(given);
  });
});
