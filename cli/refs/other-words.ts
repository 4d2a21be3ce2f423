/** Commands and options as other programs call them, and what they are called here; the first that a command has. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  '--assign': ['--assignee'],
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
  clear: ['empty'],
  close: ['done'],
  complete: ['done'],
  find: ['list'],
  get: ['show'],
  info: ['show'],
  invite: ['create'],
  log: ['history'],
  mv: ['move', 'edit'],
  open: ['reopen', 'show'],
  purge: ['empty'],
  recover: ['restore'],
  remove: ['delete', 'revoke'],
  rename: ['edit'],
  search: ['list'],
  tick: ['done'],
  unassign: ['assign --remove'],
  undelete: ['restore'],
  untag: ['tag --remove'],
};

/** What a command or option of other programs is called here, if it is among those known. */
export function wordHere(word: string, known: readonly string[]): string | undefined {
  const here = Object.hasOwn(OTHER_WORDS, word) ? OTHER_WORDS[word]! : [];
  return here.find((one) => known.includes(one.split(' ')[0]!));
}
