import { settingOption } from '../option.ts';

/** Of every verb that makes files. */
export const FILE_MODE = settingOption(
  'fileMode',
  '<mode>',
  'permissions of the files that it makes, 0600 to 0666; 0660 for processes of several users',
);
