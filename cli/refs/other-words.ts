/**
 * Names of commands and options in other programs, and their names here; the first one that a command has is suggested.
 */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  '--after': ['--order-key', '--index'],
  '--assign': ['--assignee'],
  '--before': ['--order-key', '--index'],
  '--body': ['--description'],
  '--due': ['--end', '--end-to'],
  '--due-date': ['--end', '--end-to'],
  '--filter': ['--where'],
  '--force': ['--yes'],
  '--format': ['--template'],
  '--label': ['--tag'],
  '--name': ['--title'],
  '--search': ['--text'],
  '--state': ['--status'],
  '--text': ['--description'],
  '--title': ['--name'],
  '--user': ['--member', '--assignee'],
  activity: ['history'],
  archive: ['delete'],
  block: ['link --blocks'],
  clone: ['copy'],
  clear: ['empty'],
  close: ['done'],
  complete: ['done'],
  deadline: ['edit --end'],
  depends: ['link'],
  due: ['edit --end'],
  duplicate: ['copy'],
  find: ['list'],
  finish: ['done'],
  get: ['show'],
  info: ['show'],
  invite: ['create'],
  kick: ['remove'],
  label: ['tag'],
  leave: ['remove'],
  log: ['history'],
  mv: ['move', 'edit'],
  open: ['reopen', 'show'],
  purge: ['empty'],
  recover: ['restore'],
  remove: ['delete', 'revoke'],
  rename: ['edit'],
  search: ['list'],
  set: ['edit'],
  subtask: ['link --parent'],
  tick: ['done'],
  unassign: ['assign --remove'],
  uncomplete: ['reopen'],
  undelete: ['restore'],
  undone: ['reopen'],
  untag: ['tag --remove'],
};

/**
 * Commands of other programs by their first word, or by a noun of this one and a verb, and the equivalent commands
 * here.
 */
export const OTHER_COMMANDS: Readonly<Record<string, string>> = {
  activity: 'task history',
  add: 'task create',
  assign: 'task assign',
  backup: 'export',
  card: 'task',
  check: 'doctor',
  close: 'task done',
  column: 'status',
  copy: 'board copy',
  create: 'task create',
  delete: 'task delete',
  done: 'task done',
  dump: 'export',
  edit: 'task edit',
  env: 'config',
  event: 'changes',
  feed: 'changes',
  find: 'task list',
  folder: 'page',
  grant: 'access grant',
  history: 'task history',
  invite: 'invitation create',
  issue: 'task',
  join: 'invitation accept',
  label: 'tag',
  link: 'task link',
  list: 'task list',
  log: 'task history',
  'member add': 'invitation create',
  'member create': 'invitation create',
  'member invite': 'invitation create',
  logout: 'config unset token',
  ls: 'task list',
  move: 'task move',
  new: 'task create',
  notification: 'watch',
  org: 'workspace',
  permission: 'access',
  profile: 'config',
  project: 'board',
  restore: 'trash restore',
  rm: 'task delete',
  role: 'member',
  search: 'task list --text',
  server: 'serve',
  settings: 'config',
  share: 'access grant',
  show: 'task show',
  start: 'serve',
  subtask: 'task link --parent',
  team: 'workspace',
  ticket: 'task',
  todo: 'task',
  tree: 'page tree',
  undo: 'trash restore',
  version: '--version',
  view: 'task show',
};

/** @param path all words except options; a plural counts as its singular */
export function commandHere(path: string): string | undefined {
  return [path, path.replace(/s$/, '')].map((one) => own(OTHER_COMMANDS, one)).find((here) => here !== undefined);
}

/** The name here of a command or option of other programs, if it is among those known. */
export function wordHere(word: string, known: readonly string[]): string | undefined {
  return own(OTHER_WORDS, word)?.find((one) => known.includes(one.split(' ')[0]!));
}

function own<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}
