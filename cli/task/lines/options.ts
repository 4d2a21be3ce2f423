import { option } from '../../option.ts';
import { DRY_RUN } from '../../output/record/deletion-preview.ts';

/** Options of verbs that read a file of tasks. */
export const LINE_OPTIONS = [
  option('--from <file>', 'read tasks from a file, JSON Lines or CSV; - for standard input'),
  option('--skip <lines>', 'with --from: skip this many lines, to resume a stopped run'),
  DRY_RUN,
];
