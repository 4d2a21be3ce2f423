/** What somebody does on one day, one line a command. `{name}` is what a line before was asked to `keep`. */
export interface Step {
  readonly line: string;
  readonly stdin?: string;
  /** Keeps the id that the line prints as JSON. */
  readonly keep?: string;
  /** Keeps all that the line prints. */
  readonly keepText?: string;
  /** As Ben; otherwise as Ada, who is an administrator. */
  readonly ben?: true;
  /** Ends with this code. Default 0. */
  readonly code?: number;
}

const step = (line: string, more: Omit<Step, 'line'> = {}): Step => ({ line, ...more });

const LINES = '{"title":"Oil the doors","status":"Todo","tags":["bug"]}\n{"title":"界隈 🚆 Timetable"}\n{"title":""}\n';

export const SCRIPT: readonly Step[] = [
  step('workspace create --name "Acme Trains" --description - --alias acme', { stdin: 'Trains and rails' }),
  step('workspace list'),
  step('workspace edit acme --default-access edit'),
  step('workspace show acme'),
  step('invitation create --email ben@example.org --role member --json', { keep: 'invitation' }),
  step('invitation read {invitation}', { ben: true }),
  step('invitation accept {invitation}', { ben: true }),
  step('invitation create --role guest --expires 2w --json', { keep: 'spare' }),
  step('invitation list'),
  step('invitation show {spare}'),
  step('invitation revoke {spare}'),
  step('member edit ben@example.org --position Builder'),
  step('member list'),
  step('page create --type folder --name Engineering'),
  step('page create --type folder --name "品質 Quality 🚆" --parent Engineering'),
  step('board create --name Dev --parent Engineering --no-columns --description "What we build"'),
  step('board edit Dev --external-id dev-1'),
  step('board list'),
  step('status create -b Dev --name Todo'),
  step('status create -b Dev --name Doing'),
  step('status create -b Dev --name Done --done'),
  step('status edit Doing -b Dev --name "In work"'),
  step('status list -b Dev'),
  step('tag create -b Dev --name bug --color crimson'),
  step('tag edit bug -b Dev --color "#DC143C"'),
  step('tag list -b Dev'),
  step('changes', { keepText: 'start' }),
  step(
    'task create -b Dev -t "Write the specification of the whole railway, with all signals" --priority high --assignee ben@example.org --end 2026-03-31',
  ),
  step('task create -b Dev --from -', { stdin: LINES, code: 1 }),
  step('task create -b Dev --from - --jsonl', { stdin: LINES, code: 1 }),
  step('task edit #2 --description - --start 2026-03-02', { stdin: 'Every door.\nTwice.\n' }),
  step('task move #3 --status "In work"'),
  step('task tag #1 bug'),
  step('task assign #2 me'),
  step('task comment #1 "Looks good."'),
  step('comment create #1 - --json', { stdin: 'Second **thoughts**\n', keep: 'comment' }),
  step('comment edit #1 {comment} "Third thoughts"'),
  step('comment list #1'),
  step('checklist create #1 "Ask the signallers" --assignee ben@example.org'),
  step('checklist add #1 "Draw the signals 🚦" --after start'),
  step('checklist add #1 "Count the doors" --done --json', { keep: 'item' }),
  step('checklist done #1 2 "draw the signals 🚦"'),
  step('checklist reopen #1 1'),
  step('checklist move #1 {item} --before 1'),
  step('checklist edit #1 1 --text "Count all doors" --assignee me'),
  step('checklist list #1'),
  step('task list'),
  step('task list --num 1,#3 --sort -num'),
  step('task list --limit 1'),
  step('task show #1'),
  step('checklist delete #1 3 --yes'),
  step('task history #1'),
  step('task history #1 --limit 1'),
  step('changes --since {start}'),
  step('board history Dev'),
  step('page history Engineering/Dev --all'),
  step('board show Dev'),
  step('page tree'),
  step('page list'),
  step('page edit "品質 Quality 🚆" --name Quality'),
  step('page template Engineering/Quality'),
  step('page show Engineering/Quality'),
  step('page template Engineering/Quality --off'),
  step('access preview Quality --top'),
  step('page move Quality --top'),
  step('access set Quality --default none'),
  step('access show Quality'),
  step('access grant Quality ben@example.org view'),
  step('access members Quality'),
  step('access explain Quality --member ben@example.org'),
  step('access audit'),
  step('access audit --csv'),
  step('access revoke Quality ben@example.org'),
  step('page delete Quality --dry-run'),
  step('page delete Quality --yes'),
  step('snapshot --out seen.jsonl'),
  step('audit list'),
  step('audit service --limit 1'),
  step('quota list'),
  step('quota set tasks=5000'),
  step('user list'),
  step('user create --name Cleo --email cleo@example.org'),
  step('user show cleo@example.org'),
  step('user edit cleo@example.org --disabled'),
  step('me show'),
  step('whoami'),
  step('me edit --phone "+44 20"'),
  step('token create --name ci --expires 2w --json', { keep: 'token' }),
  // When a token was last used depends on where it is.
  step('token list --fields name,expiresAt'),
  step('token revoke {token} --yes'),
  step('import trello {trello} -w trains --map ada=ada@example.org'),
  step('export acme.jsonl'),
  step('import acme.jsonl', { code: 5 }),
  step('comment delete #1 {comment} --yes'),
  step('task done #1 #3'),
  step('task reopen #3'),
  step('task move #3 #1 --status "In work" --after start'),
  step('task edit #1 #2 --add-tag bug --end none'),
  step('task delete #2 --yes'),
  step('tag delete bug -b Dev --yes'),
  step('status delete Todo -b Dev --move-to Done --dry-run'),
  step('status delete Todo -b Dev --move-to Done --yes'),
  step('board copy Dev --name "Dev again" --tasks'),
  step('page copy Engineering --name "Engineering again"'),
  step('page delete "Engineering again" --yes --permanently'),
  step('board delete Dev --yes'),
  step('trash list'),
  step('trash restore Dev'),
  step('trash empty --yes'),
  step('member remove ben@example.org', { code: 2 }),
  step('member remove ben@example.org --yes'),
  step('workspace delete trains --yes'),
  step('import workspace acme.jsonl', { code: 5 }),
  step('workspace show nosuch', { code: 3 }),
  step('task show #99', { code: 3 }),
];

/** What is not of the engine, or only where the store is; each is tested by itself. */
export const ELSEWHERE: readonly string[] = [
  'init',
  'login',
  'docs',
  'serve',
  'doctor',
  'config list',
  'config get',
  'config path',
  'config set',
  'config unset',
  'config use',
  'config profiles',
  'completion',
  'watch',
  'openapi',
];

/** What is drawn for people, after the line that it stands behind. */
export const PICTURES: Readonly<Record<string, readonly string[]>> = {
  'page tree': [
    'page tree',
    'page list',
    'board show Dev',
    'task list',
    'task show #1',
    'member list',
    'board list',
    'status list -b Dev',
  ],
  'access explain Quality --member ben@example.org': [
    'access members Quality',
    'access audit',
    'access explain Quality --member ben@example.org',
  ],
  'audit list': ['audit list', 'workspace list', 'invitation list', 'user list', 'workspace show acme'],
};

export function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}
