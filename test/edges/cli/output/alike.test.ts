import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createEspalier, openStore } from '../../../../adapters/service/index.ts';
import { startService } from '../../../../adapters/http/index.ts';
import { NOUNS } from '../../../../cli/nouns.ts';
import { BOARD_FILE } from '../../../unit/trello/fixture.ts';
import { SCRIPT, ELSEWHERE, PICTURES, wordsOf, type Step } from './script.ts';
import { cliDirectory, type Around, type CliDirectory, type Ran } from '../in-process.ts';

/** Seen from `dist/test/edges/cli/output`. */
const SNAPSHOTS = fileURLToPath(new URL('../../../../../test/edges/cli/output/snapshots/', import.meta.url));
const WIDTHS = [80, 200] as const;

interface Place {
  readonly here: CliDirectory;
  readonly ben: Record<string, string>;
  readonly close: () => Promise<void>;
}

/** With the users Ada and Ben: worked on in process, or through a service. */
async function place(isService: boolean): Promise<Place> {
  const here = await cliDirectory();
  const url = `file:${join(here.path, 'here.db')}`;
  const espalier = createEspalier({ store: await openStore(url) });
  const token = async (name: string, administrator: boolean) => {
    const email = `${name.toLowerCase()}@example.org`;
    const { id: userId } = await espalier.users.create({ name, email, administrator });
    return (await espalier.tokens.createFor({ userId, name: 'work' })).token;
  };
  const [ada, ben] = [await token('Ada', true), await token('Ben', false)];
  here.env['ESPALIER_WORKSPACE'] = 'acme';
  if (isService) {
    const { engine, identity } = espalier;
    const ready = () => espalier.store.ready();
    // Every change takes the version that is current.
    const service = await startService({ engine, identity, ready, port: 0, requireIfMatch: true });
    Object.assign(here.env, { ESPALIER_URL: service.url, ESPALIER_TOKEN: ada });
    const close = () => service.close().then(() => espalier.close());
    return { here, ben: { ESPALIER_TOKEN: ben }, close };
  }
  await espalier.close();
  Object.assign(here.env, { ESPALIER_STORE: url, ESPALIER_AS: 'ada@example.org' });
  return { here, ben: { ESPALIER_AS: 'ben@example.org' }, close: () => Promise.resolve() };
}

/** A day of work: what each line printed, and the pictures by name and width. */
async function day(isService: boolean) {
  const real = Date.now;
  let now = Date.UTC(2026, 2, 1, 12);
  Date.now = () => (now += 1);
  const { here, ben, close } = await place(isService);
  const kept = new Map([['trello', BOARD_FILE]]);
  const names = new Map<string, string>();
  const printed: { readonly line: string; readonly stdout: string; readonly stderr: string }[] = [];
  const pictures = new Map<string, string>();
  const run = async ({ line, stdin, ben: asBen, code = 0 }: Step, around: Around): Promise<Ran> => {
    const words = wordsOf(line.replace(/\{(\w+)\}/g, (_, name: string) => kept.get(name)!));
    const ran = await here.run(words, { ...around, ...(stdin === undefined ? {} : { stdin }), env: asBen ? ben : {} });
    expect(ran.code, `${line}\n${ran.stderr}`).to.equal(code);
    return ran;
  };
  try {
    for (const step of SCRIPT) {
      const isJson = /--json/.test(step.line);
      const ran = await run(step, isJson ? {} : { terminal: 80 });
      if (step.keep !== undefined) kept.set(step.keep, ran.json<{ id: string }>().id);
      if (step.keepText !== undefined) kept.set(step.keepText, ran.stdout.trim());
      const { stdout, stderr } = ran;
      printed.push({ line: step.line, stdout: named(stdout, names), stderr: named(stderr, names) });
      for (const line of PICTURES[step.line] ?? []) {
        for (const terminal of WIDTHS) {
          // Three hours later, so that output tells how long ago something was.
          Date.now = () => now + 3 * 3_600_000;
          const { stdout: picture } = await run({ line }, { terminal });
          Date.now = () => (now += 1);
          pictures.set(`${line.replace(/[^a-zA-Z0-9]+/g, '-').toLowerCase()}.${terminal}`, named(picture, names));
        }
      }
    }
  } finally {
    Date.now = real;
    await close();
    await here.close();
  }
  return { printed, pictures };
}

/** Ids and times by when they were first seen, as wide as they are. */
function named(text: string, names: Map<string, string>): string {
  return (
    text
      // How often progress is shown depends on how fast it is.
      .replace(/\r[^\n]*\r/g, '')
      .replace(/--cursor \S+/g, '--cursor CURSOR')
      .replace(/--since \S+/g, '--since CURSOR')
      .replace(/^[\w-]{12}\.\w+\.\w+$/gm, 'CURSOR')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-\d[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
        const name = names.get(id) ?? `id-${String(names.size + 1).padStart(33, '0')}`;
        names.set(id, name);
        return name;
      })
      .replace(/esp_\w+/g, 'esp_secret')
      .replace(/(\d\d):\d\d\.\d{3}Z/g, '$1:00.000Z')
  );
}

describe('Every command', () => {
  it('has its place in the day', async () => {
    const nouns = await Promise.all(NOUNS.filter(({ hidden }) => !hidden).map((entry) => entry.load()));
    const all = nouns.flatMap(({ name, verbs }) => verbs.map((verb) => [name, verb.name].filter(Boolean).join(' ')));
    const done = (command: string) => SCRIPT.some(({ line }) => `${line} `.startsWith(`${command} `));
    expect(all.filter((command) => !done(command) && !ELSEWHERE.includes(command))).to.deep.equal([]);
    expect(ELSEWHERE.filter((command) => !all.includes(command) || done(command))).to.deep.equal([]);
  });

  it('prints the same on a store and through a running service, and draws what is in the snapshots', async function () {
    this.timeout(180_000);
    const [onStore, onService] = [await day(false), await day(true)];
    for (const [i, line] of onStore.printed.entries()) expect(onService.printed[i], line.line).to.deep.equal(line);
    await mkdir(SNAPSHOTS, { recursive: true });
    for (const [name, picture] of onStore.pictures) {
      expect(onService.pictures.get(name), name).to.equal(picture);
      const file = join(SNAPSHOTS, `${name}.txt`);
      if (process.env['ESPALIER_UPDATE'] === '1') await writeFile(file, picture);
      expect(picture, `${name}; ESPALIER_UPDATE=1 writes it anew`).to.equal(await readFile(file, 'utf8'));
    }
  });
});
