import { expect } from 'chai';
import type { CliDirectory } from '../in-process.ts';
import { devBoard, everythingIn, join } from './dev-board.ts';

describe('--dry-run of one new task', () => {
  let here: CliDirectory;
  before(async () => {
    here = await devBoard();
  });
  after(() => here.close());

  const everything = () => everythingIn(here);

  const CREATE = ['task', 'create', '-b', 'Dev'];
  for (const words of [
    ['-t', ' spaced '],
    ['-t', 'done', '-s', 'Done', '--priority', 'high', '--assignee', 'me', '--end', '2027-01-02'],
    ['-t', 'x', '--metadata', 'sprint=12', '--external-id', 'e-1', '--complete', '--description', 'text'],
  ]) {
    it(`tells what would be created, and creates nothing: ${words.join(' ')}`, async () => {
      const before = await everything();
      const told = (await here.ok([...CREATE, ...words, '--dry-run', '--json'])).json<Record<string, unknown>>();
      await here.ok([...CREATE, ...words, '--dry-run']);
      expect(await everything()).to.deep.equal(before);
      const created = (await here.ok([...CREATE, ...words, '--json'])).json<Record<string, unknown>>();
      expect(Object.keys(told)).to.include.members(['title', 'statusId', 'complete', 'dateEnd']);
      expect(created).to.deep.include(told);
    });
  }

  it('names what is wrong as the call does', async () => {
    for (const words of [
      ['-t', ''],
      ['-t', 'x', '--external-id', 'x'.repeat(201)],
    ]) {
      const { stderr } = await here.run([...CREATE, ...words]);
      expect((await here.run([...CREATE, ...words, '--dry-run'])).stderr).to.equal(stderr);
    }
  });

  it('is refused where the call would be', async () => {
    await here.ok(['board', 'create', '--no-columns', '--name', 'Empty']);
    await join(here, 'dan@example.org');
    await here.ok(['access', 'grant', 'Engineering', 'dan@example.org', 'view']);
    for (const [code, words] of [
      [2, ['-t', '']],
      [2, ['-t', 'x', '--start', '2027-03-02', '--end', '2027-03-01']],
      [2, ['-t', 'x', '--page', 'Other']],
      [3, ['-t', 'x', '-s', 'Nowhere']],
      [4, ['-t', 'x', '--as', 'dan@example.org']],
      [5, ['-t', 'x', '--page', 'Engineering/Dev/one']],
      [5, ['-t', 'x', '-b', 'Empty']],
    ] as const) {
      for (const how of [['--dry-run'], []]) {
        expect((await here.run([...CREATE, ...words, ...how])).code, words.join(' ')).to.equal(code);
      }
    }
  });
});
