import { settingOption } from '../option.ts';

/** An option of every verb that creates files. */
export const FILE_MODE = settingOption(
  'fileMode',
  '<mode>',
  'permissions of the files that it makes, 0600 to 0666; 0660 for processes of several users',
);
