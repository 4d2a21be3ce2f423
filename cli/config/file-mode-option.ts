import { option } from '../verb.ts';

/** Of every verb that makes files. */
export const FILE_MODE = option(
  '--file-mode <mode>',
  'permissions of the files that it makes, 0600 to 0666; 0660 for processes of several users (ESPALIER_FILE_MODE, default 0600)',
);
