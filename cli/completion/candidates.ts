import type { Call } from '../call.ts';
import { openSpace, type WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { GLOBAL } from '../config/global-options.ts';
import { loadSettings, type Settings } from '../config/settings.ts';
import { connect } from '../config/connection.ts';
import type { NounEntry, Verb } from '../verb.ts';

/** What a command line says so far. */
interface Words {
  readonly plain: readonly string[];
  readonly options: ReadonlyMap<string, string>;
  /** The option whose value comes next. */
  readonly open: string | null;
}

/** What the last word could become: nouns, verbs, options, and names from the store or service in use. */
export async function candidates(
  call: Call,
  line: readonly string[],
  nouns: readonly NounEntry[],
): Promise<readonly string[]> {
  const last = line.at(-1) ?? '';
  const before = line.slice(0, -1);
  const noun = nouns.find(({ name }) => before.includes(name));
  if (noun === undefined) {
    const words = read(before, []);
    if (words.open !== null) return starting(last, await valuesOf(call, words, words.open));
    if (words.plain.length > 0) return [];
    return starting(
      last,
      last.startsWith('-') ? globalFlags() : nouns.filter(({ hidden }) => !hidden).map(({ name }) => name),
    );
  }
  const { verbs } = await noun.load();
  const [first] = verbs;
  const behind = before.slice(before.indexOf(noun.name) + 1);
  const verb = first!.name === '' ? first! : verbs.find(({ name }) => behind.includes(name));
  if (verb === undefined) return starting(last, last.startsWith('-') ? globalFlags() : verbs.map(({ name }) => name));
  const words = read(before, [verb]);
  if (words.open !== null) return starting(last, await valuesOf(call, words, words.open, verb));
  if (last.startsWith('-')) return starting(last, [...flagsOf(verb), ...globalFlags()]);
  const position = words.plain.length - (verb.name === '' ? 1 : 2);
  const kind = /[<[](\w+)/.exec(verb.args?.[position]?.spec ?? '')?.[1];
  return kind === undefined ? [] : starting(last, await liveValues(call, words, kind));
}

function starting(last: string, all: readonly string[]): readonly string[] {
  return all.filter((one) => one.toLowerCase().startsWith(last.toLowerCase()));
}

const LONG = /--[\w-]+/;

function flagsOf(verb: Verb): string[] {
  return (verb.options ?? []).map(({ flags }) => LONG.exec(flags)![0]);
}

function globalFlags(): string[] {
  return GLOBAL.map(({ long }) => long!);
}

function read(line: readonly string[], verbs: readonly Verb[]): Words {
  const own = verbs.flatMap((verb) => verb.options ?? []).map(({ flags }) => flags);
  const valued = [...own, ...GLOBAL.map(({ flags }) => flags)].filter((flags) => flags.includes('<'));
  const named = (word: string) => valued.find((flags) => flags.split(/[ ,]+/).includes(word));
  const plain: string[] = [];
  const options = new Map<string, string>();
  let open: string | null = null;
  for (const word of line) {
    if (open !== null) {
      options.set(open, word);
      open = null;
    } else if (word.startsWith('-')) {
      const flags = named(word);
      open = flags === undefined ? null : LONG.exec(flags)![0].slice(2);
    } else plain.push(word);
  }
  return { plain, options, open };
}

type DynamicValues = (space: WorkspaceLookup, words: Words) => Promise<readonly string[]>;

const boards: DynamicValues = async (space) =>
  (await space.pages()).filter(({ type }) => type === 'board').map(({ name }) => name);
const pages: DynamicValues = async (space) => (await space.pages()).map(({ name }) => name);
const members: DynamicValues = async (space) => ['me', ...(await space.members()).map(({ email }) => email)];
const onBoard =
  (kind: 'statuses' | 'tags'): DynamicValues =>
  async (space, { options }) => {
    const board = options.get('board');
    if (board === undefined) return [];
    return (await space.boardView(await space.board(board)))[kind].map(({ name }) => name);
  };

/** By what an argument or the value of an option is called: `<board>`. */
const LIVE: Readonly<Record<string, DynamicValues>> = {
  board: boards,
  page: pages,
  member: members,
  status: onBoard('statuses'),
  tag: onBoard('tags'),
};

const FIXED: Readonly<Record<string, readonly string[]>> = {
  level: ['full', 'edit', 'comment', 'view', 'none'],
  role: ['owner', 'admin', 'member', 'guest'],
  priority: ['none', 'low', 'medium', 'high', 'urgent'],
  shell: ['bash', 'zsh', 'fish'],
};

/** What the value of an option could be. */
function valuesOf(call: Call, words: Words, long: string, verb?: Verb): Promise<readonly string[]> {
  const own = verb?.options?.find(({ flags }) => LONG.exec(flags)![0] === `--${long}`);
  if (own?.choices !== undefined) return Promise.resolve(own.choices);
  const { flags } = own ?? GLOBAL.find((option) => option.long === `--${long}`) ?? { flags: '' };
  const kind = /<(\w+)>/.exec(flags)?.[1];
  return kind === undefined ? Promise.resolve([]) : liveValues(call, words, kind);
}

async function liveValues(call: Call, words: Words, kind: string): Promise<readonly string[]> {
  if (Object.hasOwn(FIXED, kind)) return FIXED[kind]!;
  const live = Object.hasOwn(LIVE, kind) ? LIVE[kind] : undefined;
  if (live === undefined && kind !== 'workspace') return [];
  const settings = await settingsOf(call, words);
  const connection = await connect(settings, call.io.cwd);
  try {
    if (kind === 'workspace') return (await connection.session.workspaces.list()).map(({ alias }) => alias);
    return await live!(await openSpace(connection.session, settings.value('workspace')), words);
  } finally {
    await connection.close();
  }
}

/** Options on the line that is being completed count, as they will when it runs. */
function settingsOf(call: Call, { options }: Words): Promise<Settings> {
  return loadSettings(Object.fromEntries(options), call.io.env);
}
