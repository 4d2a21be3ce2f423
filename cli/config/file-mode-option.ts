import { settingOption } from '../option.ts';

/** An option of every verb that creates files. */
export const FILE_MODE = settingOption(
  'fileMode',
  '<mode>',
  'permissions of new files, 0600 to 0666; 0660 to share them between users of a group',
);
