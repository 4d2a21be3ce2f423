import { copyFile, cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { FIRST_STEPS, NOUNS } from '../../../../cli/nouns.ts';
import type { NounEntry } from '../../../../cli/verb.ts';
import { SAMPLE, sampleService } from '../../../fixtures/world/sample.ts';
import { BOARD_FILE } from '../../../unit/trello/fixture.ts';
import { cliDirectory, type CliDirectory } from '../in-process.ts';
import { shell } from '../shell.ts';

const INVITATION = 'INVITATION=$(espalier invitation create --jq .id)';
const CURSOR = ['CURSOR=$(espalier changes)', 'espalier task edit 1 --complete'];
const CHECKLIST = ['espalier checklist create 2 First --assignee me', 'espalier checklist create 2 Second'];
const TRASH = ['espalier board delete Roadmap --yes', 'espalier task delete 3 --yes'];
const PROFILE = ['espalier config set token - --in work < token.txt'];

/** What goes before the examples that begin like this, as the sample has nothing of the kind. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  // It makes a store, where no service is named.
  init: ['ESPALIER_URL='],
  'invitation revoke': [INVITATION],
  'invitation read': [INVITATION],
  'invitation accept': [
    INVITATION,
    'espalier user create --name Dan --email dan@example.org',
    'ESPALIER_TOKEN=$(espalier token create --user dan@example.org --name laptop --jq .token)',
  ],
  'task unlink': ['espalier task link 2 --blocks 1', 'espalier task link 1 --parent 4'],
  'checklist done': CHECKLIST,
  'checklist reopen': CHECKLIST,
  'checklist edit': CHECKLIST,
  'checklist move': CHECKLIST,
  'checklist delete': CHECKLIST,
  'trash restore': TRASH,
  'trash empty': TRASH,
  'comment edit': ['COMMENT=$(espalier comment create 2 "Looks good." --jq .id)'],
  'token revoke': ['TOKEN_ID=$(espalier token create --name laptop --jq .id)'],
  'changes --since': CURSOR,
  'config list --profile': PROFILE,
  'config use': PROFILE,
};

/** Those that are not run. */
const EXCEPT: Readonly<Record<string, string>> = {
  serve: 'it runs until it is stopped',
  'login https://tasks.example.org': 'the service is somewhere else',
  docs: 'it opens a browser',
};

/** Those that go on until Ctrl-C; with it pressed before, they end once they have found what they are about. */
const GOES_ON = /^espalier watch|--watch/;

const begins = (line: string) => (beginning: string) => `${line} `.startsWith(`${beginning} `);

/** A directory with the files that examples read, and a store that holds the sample. */
async function filesOfExamples(): Promise<CliDirectory> {
  const here = await cliDirectory();
  await copyFile(SAMPLE, join(here.path, 'acme.jsonl'));
  await copyFile(BOARD_FILE, join(here.path, 'board.json'));
  const files = {
    'people.json': '{"bob_b":"ben@example.org"}',
    'tasks.jsonl': '{"title":"Draw the board"}\n',
    'tasks.csv': 'title,board\nDraw the board,Launch\n',
    'notes.md': 'Looks good.\n',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(here.path, name), text);
  await here.ok(['import', 'acme.jsonl', '--store', 'file:espalier.db']);
  return here;
}

/** Runs lines where the sample has just been loaded. @throws when one does not end with 0 */
async function runOnSample(lines: readonly string[], files: CliDirectory): Promise<void> {
  const [here, service] = [await cliDirectory(), await sampleService()];
  Object.assign(here.env, { ESPALIER_URL: service.url, ESPALIER_TOKEN: service.token });
  try {
    await cp(files.path, here.path, { recursive: true });
    await writeFile(join(here.path, 'token.txt'), service.token);
    for (const line of lines) {
      const around = GOES_ON.test(line) ? { stop: AbortSignal.abort() } : {};
      await shell(here, line.replace('http://127.0.0.1:4800', service.url), around);
    }
  } finally {
    await here.close();
    await service.close();
  }
}

async function examplesOf(entry: NounEntry): Promise<readonly string[]> {
  const { verbs } = await entry.load();
  return verbs.flatMap(({ examples = [] }) => examples);
}

describe('The examples of the program', () => {
  it('begin with a new store', async () => {
    const here = await cliDirectory();
    try {
      for (const line of FIRST_STEPS) await shell(here, `espalier ${line}`);
    } finally {
      await here.close();
    }
  });

  describe('are true of the sample that README.md starts with', () => {
    let files: CliDirectory;
    before(async () => {
      files = await filesOfExamples();
    });
    after(() => files.close());

    for (const entry of NOUNS.filter(({ hidden }) => hidden !== true)) {
      it(entry.name, async () => {
        const faults: string[] = [];
        for (const line of await examplesOf(entry)) {
          if (Object.keys(EXCEPT).some(begins(line))) continue;
          const before = Object.keys(BEFORE).filter(begins(line));
          const lines = [...before.flatMap((beginning) => BEFORE[beginning]!), `espalier ${line}`];
          await runOnSample(lines, files).catch((error: unknown) => faults.push(String(error)));
        }
        expect(faults).to.deep.equal([]);
      });
    }
  });

  it('are there for each beginning that is named here', async () => {
    const examples = (await Promise.all(NOUNS.map(examplesOf))).flat();
    const named = [...Object.keys(BEFORE), ...Object.keys(EXCEPT)];
    expect(named.filter((beginning) => !examples.some((line) => begins(line)(beginning)))).to.deep.equal([]);
  });
});
