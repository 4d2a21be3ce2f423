import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createEspalier, openStore, type Espalier } from '../../../../adapters/service/index.ts';
import { Failure } from '../../../../cli/io/failure.ts';
import { localHost } from '../../../../cli/import/host.ts';
import { importTrello } from '../../../../cli/import/trello.ts';
import { BOARD_FILE, board, boardText } from '../../../unit/trello/fixture.ts';
import { ended, start } from '../child.ts';
import { cliDirectory, type CliDirectory } from '../in-process.ts';

interface Result {
  readonly board: { readonly id: string };
  readonly workspace: { readonly id: string; readonly alias: string; readonly isNew: boolean };
  readonly created: Record<string, number>;
  readonly existing: Record<string, number>;
  readonly joined: readonly string[];
  readonly notes: readonly { readonly what: string; readonly why: string }[];
}

const NONE = { boards: 0, statuses: 0, tags: 0, tasks: 0, trashed: 0, checklistItems: 0, comments: 0 };
const ALL = { boards: 1, statuses: 4, tags: 7, tasks: 7, trashed: 0, checklistItems: 2, comments: 3 };

describe('espalier import trello', () => {
  let here: CliDirectory;
  beforeEach(async () => {
    here = await cliDirectory();
    here.env['ESPALIER_STORE'] = 'file:here.db';
    await onStore(async ({ users }) => {
      await users.create({ name: 'Root', email: 'root@example.org', administrator: true });
      await users.create({ name: 'Ada', email: 'ada@example.org' });
    });
  });
  afterEach(() => here.close());

  async function onStore<T>(work: (espalier: Espalier) => Promise<T>): Promise<T> {
    const espalier = createEspalier({ store: await openStore(`file:${join(here.path, 'here.db')}`) });
    try {
      return await work(espalier);
    } finally {
      await espalier.close();
    }
  }

  const user = (espalier: Espalier, email: string) => espalier.store.read((tx) => tx.users.by({ email }));
  const trello = (...args: string[]) => here.run(['import', 'trello', BOARD_FILE, '--json', ...args]);
  const workspaces = () =>
    onStore(async (espalier) => espalier.as((await user(espalier, 'root@example.org'))!).workspaces.list());

  it('brings a board in, in a workspace that is called like it, and a second time nothing more', async () => {
    const first = (await trello()).json<Result>();
    expect(first.workspace).to.include({ alias: 'release-train', isNew: true });
    expect(first.created).to.deep.equal(ALL);
    const second = (await trello()).json<Result>();
    expect(second.workspace).to.include({ id: first.workspace.id, isNew: false });
    expect(second.board.id).to.equal(first.board.id);
    expect(second.created).to.deep.equal(NONE);
    expect(second.existing).to.deep.equal(ALL);
    expect(await workspaces()).to.have.length(1);
  });

  it('takes the only workspace there is, and refuses to choose among several', async () => {
    await here.ok(['workspace', 'create', '--name', 'Acme', '--as', 'root@example.org']);
    expect((await trello('--as', 'root@example.org')).json<Result>().workspace).to.include({
      alias: 'acme',
      isNew: false,
    });
    await here.ok(['workspace', 'create', '--name', 'Other', '--as', 'root@example.org']);
    // It is in one of them already.
    expect((await trello('--as', 'root@example.org')).json<Result>().workspace).to.include({ alias: 'acme' });
    const file = join(here.path, 'other.json');
    await writeFile(file, (await readFile(BOARD_FILE, 'utf8')).replaceAll(board().id, 'f'.repeat(24)));
    const refused = await here.run(['import', 'trello', file, '--as', 'root@example.org']);
    expect(refused.code).to.equal(2);
    expect(refused.stderr).to.include('--workspace').and.include('acme').and.include('other');
    expect(await workspaces()).to.have.length(2);
  });

  it('refuses people in --map who are not on the board, in a dry run too', async () => {
    for (const more of [[], ['--dry-run']]) {
      const refused = await trello('--map', 'nobody=ada@example.org', ...more);
      expect(refused.code, more.join()).to.equal(2);
      expect(refused.stderr).to.include('nobody');
    }
  });

  it('adds what has come since', async () => {
    await trello();
    const archived = (await trello('--include-archived')).json<Result>();
    expect(archived.created).to.deep.equal({ ...NONE, statuses: 1, tasks: 2, trashed: 2, comments: 1 });
  });

  it('keeps the order of lists and cards, times and authors', async () => {
    const { workspace, board } = (await trello('--map', 'ada=ada@example.org')).json<Result>();
    await onStore(async (espalier) => {
      const ada = espalier.as((await user(espalier, 'ada@example.org'))!);
      const workspaceId = workspace.id;
      const { memberId } = await ada.workspaces.get({ workspaceId });
      const { statuses } = await ada.boards.get({ workspaceId, boardId: board.id });
      expect(statuses.map((status) => `${status.name} ${status.taskCount}`)).to.deep.equal([
        'Todo 2',
        'Doing 3',
        'Done 1',
        'Todo (2) 1',
      ]);
      const { items } = await ada.tasks.list({ workspaceId, sort: ['position'], assigneeId: ['me'] });
      expect(items.map((task) => task.title)).to.deep.equal(['First in Todo']);
      const rich = await ada.tasks.list({ workspaceId, q: 'Rich card' });
      expect(rich.items[0]).to.deep.include({ createdById: memberId, createdAt: '2025-01-01T00:01:43.000Z' });
      const { comments } = await ada.tasks.get({ workspaceId, taskId: rich.items[0]!.id });
      expect(comments[0]).to.include({ authorId: memberId, edited: true, createdAt: '2025-02-02T09:00:00.000Z' });
    });
  });

  it('goes into the workspace named, which is made when it is missing', async () => {
    expect((await trello('--workspace', 'trains')).json<Result>().workspace).to.include({
      alias: 'trains',
      isNew: true,
    });
    expect((await trello('-w', 'trains')).json<Result>().workspace.isNew).to.equal(false);
    expect((await trello('-w', 'No Alias')).code).to.equal(2);
    expect((await trello('-w', '018f0000-0000-7000-8000-000000000001')).code).to.equal(3);
    expect(await workspaces()).to.have.length(1);
  });

  it('goes into the workspace of that name, as other commands do, and into none of several', async () => {
    const asRoot = ['--as', 'root@example.org'];
    await here.ok(['workspace', 'create', '--name', 'Trains', '--alias', 'trains-1', ...asRoot]);
    for (const name of ['Trains', 'trains']) {
      const { workspace } = (await trello('--workspace', name, ...asRoot)).json<Result>();
      expect(workspace, name).to.include({ alias: 'trains-1', isNew: false });
    }
    await here.ok(['workspace', 'create', '--name', 'Trains', '--alias', 'trains-2', ...asRoot]);
    expect((await trello('--workspace', 'trains', ...asRoot)).code).to.equal(2);
    expect((await trello('--workspace', 'trains-2', ...asRoot)).json<Result>().workspace.isNew).to.equal(false);
    expect(await workspaces()).to.have.length(2);
  });

  it('says to the operator that a workspace is named by its alias, where nobody could own a new one', async () => {
    here.env['ESPALIER_STORE'] = 'file:other.db';
    await here.ok(['user', 'create', '--name', 'Ada', '--email', 'ada@example.org', '--as', 'operator']);
    await here.ok(['workspace', 'create', '--name', 'Railway', '--alias', 'trains', '--as', 'ada@example.org']);
    const refused = await trello('-w', 'Railway', '--as', 'operator');
    expect(refused.code).to.equal(3);
    expect(refused.stderr).to.include('"Railway"').and.include('alias');
    expect((await trello('-w', 'trains', '--as', 'operator')).json<Result>().workspace.isNew).to.equal(false);
  });

  it('makes a workspace for a board with a longer name than a workspace may have', async () => {
    const long = board((json) => (json['name'] = 'ä'.repeat(300)));
    await writeFile(join(here.path, 'long.json'), JSON.stringify(long));
    for (const place of [[], ['--workspace', 'acme']]) {
      const ran = await here.run(['import', 'trello', 'long.json', '--json', ...place]);
      expect(ran.code, ran.stderr).to.equal(0);
    }
    const names = (await workspaces()).map(({ name }) => name.length);
    expect(names).to.deep.equal([200, 200]);
  });

  it('makes members of mapped people who are none, and takes maps from files', async () => {
    await writeFile(join(here.path, 'people.json'), JSON.stringify({ Ada: 'ADA@example.org' }));
    const result = (await trello('--map', 'people.json')).json<Result>();
    expect(result.joined).to.deep.equal(['ADA@example.org']);
    expect((await trello('--map', 'people.json')).json<Result>().joined).to.deep.equal([]);
  });

  it('writes nothing when a person is unknown, here or on the board, or the file is damaged', async () => {
    await writeFile(join(here.path, 'cut.json'), boardText().slice(0, 20_000));
    await writeFile(join(here.path, 'shape.json'), boardText().replaceAll('"name": "Rich card"', '"name": 7'));
    expect((await trello('--map', 'ada=nobody@example.org')).code).to.equal(3);
    expect((await trello('--map', 'stranger=ada@example.org')).code).to.equal(2);
    expect((await trello('--map', 'ada=none')).code).to.equal(2);
    const cut = await here.run(['import', 'trello', 'cut.json']);
    expect(cut.code).to.equal(2);
    expect(cut.stderr).to.match(/line \d+, column \d+/);
    const shape = await here.run(['import', 'trello', 'shape.json']);
    expect(shape.code).to.equal(2);
    expect(shape.stderr).to.match(/\/cards\/\d\/name/);
    expect((await here.run(['import', 'trello', 'nowhere.json'])).code).to.equal(3);
    expect(await workspaces()).to.deep.equal([]);
  });

  it('names the other command for a file of the other kind', async () => {
    await writeFile(join(here.path, 'acme.jsonl'), '{"kind":"head","format":"espalier-workspace","version":1}\n');
    const own = await here.run(['import', 'trello', 'acme.jsonl']);
    expect(own.code).to.equal(2);
    expect(own.stderr).to.include('espalier import workspace');
    const board = await here.run(['import', BOARD_FILE, '--store', 'file:none.db']);
    expect(board.code).to.equal(2);
    expect(board.stderr).to.include('espalier import trello');
  });

  it('takes no name of a workspace for the alias of a new one', async () => {
    await here.ok(['workspace', 'create', '--name', 'Sales', '--alias', 'sales-team', '--as', 'ada@example.org']);
    for (const name of ['sales', 'Sales']) expect((await trello('-w', name)).code).to.equal(2);
    expect(await workspaces()).to.deep.equal([]);
    for (const [alias, length] of [
      ['sales-team', 0],
      ['other', 1],
    ] as const) {
      expect((await trello('-w', alias)).code).to.equal(0);
      expect(await workspaces()).to.have.length(length);
    }
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const stop = new AbortController();
    await onStore(async (espalier) => {
      const { actor, ...host } = await localHost(espalier);
      const create: typeof actor.workspaces.create = async (input) => {
        const made = await actor.workspaces.create(input);
        stop.abort();
        return made;
      };
      const interrupting = { ...host, actor: { ...actor, workspaces: { ...actor.workspaces, create } } };
      const options = { map: new Map<string, string>(), includeArchived: false, stop: stop.signal };
      const error: unknown = await importTrello(interrupting, board(), options).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(Failure).and.include({ exit: 'interrupted' });
    });
    expect(await workspaces()).to.deep.equal([]);
    expect((await here.run(['import', 'trello', BOARD_FILE], { stop: stop.signal })).code).to.equal(130);
    expect(await workspaces()).to.deep.equal([]);
  });

  it('brings in more cards than most lists of an input may have, by the bundled program', async () => {
    const many = board((json) => {
      const [card] = json.cards;
      json.cards = Array.from({ length: 1_001 }, (_, i) => ({ ...card, id: `card-${i}` }));
    });
    await writeFile(join(here.path, 'many.json'), JSON.stringify(many));
    const { code, stdout } = await ended(start(here, 'import', 'trello', 'many.json', '--json'));
    expect(code).to.equal(0);
    expect((JSON.parse(stdout) as Result).created).to.include({ tasks: 1_001 });
  });

  it('reads the standard input, and only tells with --dry-run', async () => {
    const stdin = await readFile(BOARD_FILE, 'utf8');
    const ran = await here.run(['import', 'trello', '-', '--dry-run', '--json'], { stdin });
    expect(ran.json<Result>().created).to.deep.equal(ALL);
    expect(await workspaces()).to.deep.equal([]);
  });

  it('ends with tables of what was imported and what could not be', async () => {
    const ran = await here.run(['import', 'trello', BOARD_FILE], { terminal: 80 });
    expect(ran.code).to.equal(0);
    expect(ran.stdout).to.match(/cards -> tasks +9 +7 +0 +2\n/);
    expect(ran.stdout).to.match(/attachment +1 +no counterpart: left out +Rich/);
    for (const line of ran.stdout.split('\n').slice(1)) expect(line.length, line).to.be.at.most(80);
  });
});
