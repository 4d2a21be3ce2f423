import { expect } from 'chai';
import { Turns } from '../../../../core/changes/turns.ts';
import type { ChangeStream } from '../../../../core/changes/watch.ts';
import { newTeam } from '../../../fixtures/world/team.ts';

describe('turns of readers', () => {
  it('let as many begin in each turn of the event loop as in the first, in order', async () => {
    const turns: (() => void)[] = [];
    const readers = new Turns(() => new Promise((resolve) => void turns.push(resolve)));
    const begun: number[] = [];
    const all = Array.from({ length: 100 }, async (_, n) => {
      await readers.run(`user ${n}`, async () => begun.push(n));
    });
    await Promise.resolve();
    const first = begun.length;
    expect(first).to.be.within(1, 50);
    for (let before = 0; begun.length < 100; before = begun.length) {
      turns.shift()!();
      await new Promise((resolve) => setImmediate(resolve));
      expect(begun.length - before).to.be.at.most(2 * first);
    }
    await Promise.all(all);
    expect(begun).to.deep.equal(Array.from({ length: 100 }, (_, n) => n));
  });

  it('let all begin where there is no event loop to share', async () => {
    const readers = new Turns(undefined);
    let begun = 0;
    const all = Array.from({ length: 100 }, (_, n) => readers.run(`user ${n}`, async () => (begun += 1)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).to.equal(100);
    await Promise.all(all);
  });

  it('have one read of a user under way at a time, and that of another begins meanwhile', async () => {
    const readers = new Turns(() => new Promise((resolve) => void setImmediate(resolve)));
    const ends: (() => void)[] = [];
    const reading = () => new Promise<void>((resolve) => void ends.push(resolve));
    const all = Array.from({ length: 64 }, () => readers.run('ada', reading));
    for (let turn = 0; turn < 64; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(ends.length).to.equal(1);
    expect(await readers.run('ben', async () => 'read')).to.equal('read');
    for (let ended = 0; ended < 64; ended += 1) {
      while (ends.length === ended) await new Promise((resolve) => setImmediate(resolve));
      ends[ended]!();
    }
    await Promise.all(all);
  });

  it('include what is made of the events', async () => {
    const { world, at, owner, member, board, page } = await newTeam();
    const streams = await Promise.all(
      [owner, owner, member].map(({ userId }) => world.engine.changes.watch({ caller: { kind: 'user', userId } }, at)),
    );
    const [first, second, other] = streams as [ChangeStream, ChangeStream, ChangeStream];
    await board('Board');
    let end!: () => void;
    const making = first.nextMade(async ({ items }) => {
      await new Promise<void>((resolve) => (end = resolve));
      return items;
    });
    let isRead = false;
    const waiting = second.nextMade(async ({ items }) => {
      isRead = true;
      return items;
    });
    expect((await other.next())!.items).not.to.be.empty;
    await page('Page');
    expect((await other.next())!.items).not.to.be.empty;
    expect(isRead).to.equal(false);
    end();
    expect(await making).not.to.equal(null);
    expect(await waiting).not.to.equal(null);
    for (const stream of streams) stream.close();
  });
});
