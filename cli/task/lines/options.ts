import { option } from '../../option.ts';
import { DRY_RUN } from '../../output/record/deletion-preview.ts';

/** Options of verbs that read a file of tasks. */
export const LINES = [
  option('--from <file>', 'each line of this file, JSON Lines or CSV; - reads the standard input'),
  option('--skip <lines>', 'with --from: leave out so many lines, to go on where a run has stopped'),
  DRY_RUN,
];
