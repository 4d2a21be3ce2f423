import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createEspalier, openStore } from '../../../../adapters/service/index.ts';
import { NOUNS } from '../../../../cli/nouns.ts';
import { safeIo } from '../../../../cli/io/io.ts';
import { run } from '../../../../cli/program.ts';
import { loggerFor } from '../../../../cli/service/logger.ts';
import { BOARD_FILE } from '../../../unit/trello/fixture.ts';
import { SCRIPT, wordsOf, type Step } from './script.ts';
import { cliDirectory, type Around, type CliDirectory, type Ran } from '../in-process.ts';

/** What somebody may write, and a terminal must not get: it would colour, hide, move, rename, link, answer, or turn around. */
const HOSTILE = [
  '\u001b[31mred',
  '\u001b[5;8mhid',
  '\u001b[2J\u001b[H',
  '\u001b]0;t\u0007',
  '\u001b]8;;x\u001b\\link',
  '\u001bP+q\u001b\\',
  '\rover',
  '\b\u0001\u007f',
  '\u009b41m',
  '\u0085',
  '\u202eturn\u202c',
  '\u2067iso\u2069\u200f\u061c',
].join('');
/** A name must not pass for a line of the program either. */
const IN_NAMES = `${HOSTILE}\nFORGED\u2028FORGED`;

const NAMES = new Set(['Acme Trains', 'Engineering', 'Dev', 'Todo', 'Doing', 'In work', 'Done', 'Quality', 'bug']);
for (const name of ['品質 Quality 🚆', 'Builder', 'Cleo', 'ci', 'Look', 'dev-1']) NAMES.add(name);
const TEXTS = new Set(['What we build', 'Looks good.', 'Third thoughts']);

/** The word of a command line, with what is hostile behind every name in it. */
function hostileWord(word: string): string {
  if (TEXTS.has(word)) return word + HOSTILE;
  if (word.startsWith('Write the')) return word + IN_NAMES;
  const parts = word.split('/').map((part) => (NAMES.has(part) ? part + IN_NAMES : part));
  return parts.join('/');
}

function hostileInput(text: string): string {
  if (!text.startsWith('{')) return text + HOSTILE;
  const line = (json: string) => JSON.stringify(hostileJson(JSON.parse(json)));
  return text.trim().split('\n').map(line).join('\n');
}

function hostileJson(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? value : value + IN_NAMES;
  if (Array.isArray(value)) return value.map(hostileJson);
  return Object.fromEntries(Object.entries(value as object).map(([key, one]) => [key, hostileJson(one)]));
}

/** A board in Trello's form in which all that people write is hostile. */
function hostileBoard(text: string): string {
  return JSON.stringify(JSON.parse(text), (key, value: unknown) =>
    ['name', 'desc', 'text', 'fullName'].includes(key) && typeof value === 'string' ? value + HOSTILE : value,
  );
}

/* eslint-disable no-control-regex */
/** Of the program itself: its colours, its progress, the line ends of CSV. */
const OWN = /\u001b\[(?:1|2|22|31|32|33|36|39)m|\r(?=\n)|(?:\r(?:[\w ]+ [█░]+ +\d+%|[\d,]+ records) *)+\r *\r/gu;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u;
const DIRECTION = /\p{Bidi_Control}/u;

function expectHarmless(printed: string, of: string, own = OWN): void {
  const rest = printed.replace(own, '');
  expect(JSON.stringify(rest.slice(Math.max(0, rest.search(CONTROLS) - 20)).slice(0, 60)), of).to.satisfy(
    () => !CONTROLS.test(rest),
  );
  expect(DIRECTION.test(rest), `${of}: direction`).to.equal(false);
  // The words of a card are laid out in lines.
  if (!of.startsWith('board show')) expect(/^FORGED/m.test(rest), `${of}: forged line\n${rest}`).to.equal(false);
}

interface HostileStore {
  readonly here: CliDirectory;
  readonly ben: Record<string, string>;
}

async function hostileStore(): Promise<HostileStore> {
  const here = await cliDirectory();
  const url = `file:${join(here.path, 'here.db')}`;
  const espalier = createEspalier({ store: await openStore(url) });
  for (const name of ['Ada', 'Ben']) {
    const email = `${name.toLowerCase()}@example.org`;
    await espalier.users.create({ name: name + IN_NAMES, email, administrator: name === 'Ada' });
  }
  await espalier.close();
  await writeFile(join(here.path, 'board.json'), hostileBoard(await readFile(BOARD_FILE, 'utf8')));
  Object.assign(here.env, { ESPALIER_STORE: url, ESPALIER_AS: 'ada@example.org', ESPALIER_WORKSPACE: 'acme' });
  return { here, ben: { ESPALIER_AS: 'ben@example.org' } };
}

/** Runs the script, which has every command. */
async function runScript(
  { here, ben }: HostileStore,
  around: Around,
  more: readonly string[],
  look: Look,
): Promise<void> {
  const kept = new Map([['trello', 'board.json']]);
  for (const { line, stdin, keep, keepText, code = 0, ben: asBen } of SCRIPT) {
    const words = wordsOf(line.replace(/\{(\w+)\}/g, (_, name: string) => kept.get(name)!)).map(hostileWord);
    const isJson = keep !== undefined || / --jsonl?\b| --csv\b/.test(line);
    const ran = await here.run([...words, ...(isJson || keepText !== undefined ? [] : more)], {
      ...around,
      ...(stdin !== undefined && { stdin: hostileInput(stdin) }),
      env: { ...around.env, ...(asBen && ben) },
    });
    expect(ran.code, `${line}\n${ran.stderr}`).to.equal(code);
    if (keep !== undefined) kept.set(keep, ran.json<{ id: string }>().id);
    if (keepText !== undefined) {
      kept.set(keepText, ran.stdout.trim());
      continue;
    }
    look({ line }, ran, isJson);
  }
}

type Look = (step: Step, ran: Ran, isJson: boolean) => void;

/** What the day has no place for: commands of the program itself, and what goes wrong. */
const MORE: readonly (readonly [code: number, ...words: readonly string[]])[] = [
  [
    0,
    'init',
    '--as',
    'operator',
    '--name',
    IN_NAMES,
    '--email',
    'cy@example.org',
    '--store',
    'file:other.db',
    '--save-as',
    'other',
  ],
  [0, 'changes', '--since', '.0.0'],
  [0, 'snapshot'],
  [2, 'watch', '--kind', IN_NAMES],
  [0, 'backup', 'copy.db'],
  [0, 'doctor'],
  [0, 'config', 'set', 'workspace', IN_NAMES],
  [0, 'config', 'show'],
  [0, 'config', 'list'],
  [0, 'config', 'get', 'workspace'],
  [0, 'config', 'path'],
  [0, 'config', 'unset', 'workspace'],
  [0, 'config', 'profiles'],
  [3, 'config', 'use', IN_NAMES],
  [0, 'completion', 'bash'],
  [2, 'completion', IN_NAMES],
  [2, 'login', IN_NAMES],
  [0, 'docs'],
  [0, 'openapi'],
  [0, 'complete', '--', 'page', 'show', ''],
  [0, 'complete', '--', 'task', 'list', '--board', ''],
  [3, 'task', 'show', IN_NAMES],
  [3, 'page', 'show', 'Dev'],
  [2, 'task', 'list', '--sort', IN_NAMES],
  [2, 'task', 'list', '--num', IN_NAMES],
  [2, 'task', 'list', `--${IN_NAMES}`],
  [2, 'page', IN_NAMES],
  [2, IN_NAMES],
  [2, 'page', 'show', 'Twin'],
  [2, 'workspace', 'delete', 'acme'],
  [2, 'serve', '--log-level', IN_NAMES],
  [2, 'serve', '--store', IN_NAMES],
  [2, 'task', 'list', '--store', `file:x${IN_NAMES}`, '--url', IN_NAMES],
  [3, 'import', 'trello', IN_NAMES],
  [2, 'config', 'show', '--profile', IN_NAMES],
];

const MODES: readonly (readonly [name: string, around: Around])[] = [
  ['a terminal with colours', { terminal: 80, env: { NO_COLOR: '' } }],
  ['a wide terminal without colours', { terminal: 250 }],
  ['no terminal', {}],
];

describe('What other people have written', () => {
  for (const [mode, around] of MODES) {
    it(`does nothing to a terminal that any command prints it on: ${mode}`, async function () {
      this.timeout(120_000);
      const on = await hostileStore();
      await runScript(on, around, [], ({ line }, { stdout, stderr }, isJson) => {
        if (isJson) expect(CONTROLS.test(stdout.replace(OWN, '')), line).to.equal(false);
        else expectHarmless(stdout, line);
        expectHarmless(stderr, line);
      });
      const { here } = on;
      const since = (await here.ok(['changes'])).stdout.trim();
      for (const name of ['Attic', 'Other']) {
        const parent = name + IN_NAMES;
        await here.ok(['page', 'create', '--type', 'folder', '--name', parent]);
        await here.ok(['page', 'create', '--type', 'board', '--name', 'Twin', '--parent', parent]);
      }
      for (const [code, ...words] of MORE) {
        const ran = await here.run(words, around);
        expect(ran.code, `${JSON.stringify(words)}\n${ran.stderr}`).to.equal(code);
        if (words[0] === 'snapshot') expect(CONTROLS.test(ran.stdout)).to.equal(false);
        else expectHarmless(ran.stdout, words.join(' '));
        expectHarmless(ran.stderr, words.join(' '));
      }
      for (const words of [
        ['watch', '--since', since],
        ['board', 'show', `Attic${IN_NAMES}/Twin`, '--watch'],
      ]) {
        const stop = new AbortController();
        const ran = await here.run(words, { ...around, stop: stop.signal, onStdout: () => stop.abort() });
        expect(ran.code, `${JSON.stringify(words)}\n${ran.stderr}`).to.equal(0);
        expect(ran.stdout).not.to.equal('');
        // It goes to the top, and erases what was there.
        expectHarmless(ran.stdout.replaceAll(/\u001B\[[HJK]/g, ''), words.join(' '));
        expectHarmless(ran.stderr, words.join(' '));
      }
      await here.close();
    });
  }

  it('is in JSON as it was written, with every control character escaped', async function () {
    this.timeout(120_000);
    const on = await hostileStore();
    const seen = new Set<string>();
    await runScript(on, { terminal: 80, env: { NO_COLOR: '' } }, ['--json'], ({ line }, { stdout }) => {
      expect(CONTROLS.test(stdout.replace(/\r\n/g, '')), line).to.equal(false);
      if (line === 'page list') {
        for (const { name } of JSON.parse(stdout) as { name: string }[]) seen.add(name);
      }
    });
    expect([...seen]).to.include.members([`Dev${IN_NAMES}`, `Engineering${IN_NAMES}`]);
    await on.here.close();
  });

  it('is harmless in a question to a person, in the log, and in what a service says at its start', async () => {
    const { here } = await hostileStore();
    const name = `Dev${IN_NAMES}`;
    await here.ok(['workspace', 'create', '--name', 'Acme']);
    await here.ok(['page', 'create', '--type', 'folder', '--name', name]);
    let printed = '';
    const screen = { write: (text: string) => (printed += text), isTTY: true, columns: 80 };
    const stdin = Object.assign(Readable.from(['y\n']), { isTTY: true as const });
    const stop = new AbortController();
    const io = { stdout: screen, stderr: screen, env: here.env, cwd: here.path, stop: stop.signal };
    expect(await run(['page', 'delete', name], { ...io, stdin })).to.equal(0);
    expect(printed).to.include('[y/N]').and.include('Deleted page Dev');
    expectHarmless(printed, 'question');

    printed = '';
    const write = (text: string) => {
      printed += text;
      const url = /listens on (\S+)/.exec(printed)?.[1];
      if (url === undefined || stop.signal.aborted) return;
      const path = encodeURIComponent('\u009b31m\u202e');
      void fetch(`${url}/api/${path}`, { headers: { 'x-request-id': 'x' } })
        .catch(() => {})
        .finally(() => stop.abort());
    };
    const args = ['serve', '--port', '0', '--load', 'board.json', '--workspace', 'loaded', '--log-level', 'trace'];
    expect(await run(args, { ...io, stdin, stdout: { ...screen, write }, stderr: { ...screen, write } })).to.equal(0);
    expect(printed)
      .to.include('Loaded')
      .and.match(/GET .*unknown .* ms/);
    expectHarmless(printed, 'serve');

    for (const isTTY of [true, false]) {
      printed = '';
      const safe = safeIo({ ...io, stdin, stderr: { ...screen, isTTY } });
      (await loggerFor(safe, 'info', false)).error({ err: new Error(IN_NAMES), who: IN_NAMES }, IN_NAMES);
      await new Promise((resolve) => setImmediate(resolve));
      if (!isTTY) expect((JSON.parse(printed) as { msg: string }).msg).to.equal(IN_NAMES);
      expectHarmless(printed, isTTY ? 'log on a terminal' : 'log');
    }
    await here.close();
  });

  it('has no other way out: only the start of the program knows the screens of the process', async () => {
    const root = fileURLToPath(new URL('../../../../../cli/', import.meta.url));
    const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const direct: string[] = [];
    for (const name of files) {
      if (/process\.std(?:out|err)|console\./.test(await readFile(join(root, name), 'utf8'))) direct.push(name);
    }
    // What libraries print is dropped by one of them.
    expect(direct.toSorted()).to.deep.equal(['io/silently.ts', 'main.ts']);
  });

  it('no command is left out', async () => {
    const nouns = await Promise.all(NOUNS.map((entry) => entry.load()));
    const all = nouns.flatMap(({ name, verbs }) => verbs.map((verb) => [name, verb.name].filter(Boolean).join(' ')));
    const lines = [...SCRIPT.map(({ line }) => line), ...MORE.map(([, ...words]) => words.join(' '))];
    const left = all.filter((command) => !lines.some((line) => `${line} `.startsWith(`${command} `)));
    // Speaks to the process that started it, and to nobody else.
    expect(left).to.deep.equal(['worker']);
  });
});
