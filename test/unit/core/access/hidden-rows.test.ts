import { expect } from 'chai';
import { createEngine } from '../../../../core/engine.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { Slice } from '../../../../core/kernel/record.ts';
import { invitation, newId } from '../../../contract/records.ts';
import { countingRows } from '../../../fixtures/store/counting-rows.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { newWorld, personOf } from '../../../fixtures/world/world.ts';

/** More than one call reads. */
const HIDDEN = 12_000;
const MAX_CHECKED = 5_000;
const LIMIT = 100;

/** All parts of a list, and the rows that each call has read. */
async function partsOf<T>(
  list: (cursor?: string) => Promise<Slice<T>>,
  seen: { rows: number },
): Promise<{ readonly items: T[]; readonly rows: number[]; readonly cursors: string[] }> {
  const [items, rows, cursors]: [T[], number[], string[]] = [[], [], []];
  for (let cursor: string | null | undefined; cursor !== null;) {
    seen.rows = 0;
    const part: Slice<T> = await list(cursor);
    rows.push(seen.rows);
    items.push(...part.items);
    cursor = part.next;
    if (cursor !== null) cursors.push(cursor);
  }
  return { items, rows, cursors };
}

describe('a list among very many records that its reader may not see', () => {
  async function open() {
    const { counting, seen } = countingRows(memoryStore(), ['audit', 'invitations']);
    const team = await newTeam(newWorld(counting));
    return { team, seen, admin: personOf(createEngine(team.world.ports), team.admin.userId, 'Admin') };
  }

  it('of the audit trail reads a bounded number of them for a call, and comes to its end', async () => {
    const { team, seen, admin } = await open();
    const { at, world } = team;
    const before = (await admin.audit.list({ ...at, limit: 500 })).items;
    await world.store.write(async (tx) => {
      for (let n = 0; n < HIDDEN; n += 1) {
        const id = world.ports.ids.next();
        const hidden = { action: 'page.delete', recordId: newId(), before: {}, after: null, userId: null } as const;
        await tx.audit.insert({ id, ...at, ...hidden, requestId: null, at: world.time() });
      }
    });
    const last = await team.page('Last');
    await team.grant(last, team.member, 100);
    const { items, rows } = await partsOf(
      (cursor) => admin.audit.list({ ...at, limit: LIMIT, ...(cursor !== undefined && { cursor }) }),
      seen,
    );
    expect(items.slice(-before.length)).to.deep.equal(before);
    expect(items[0]?.recordId).to.equal(last);
    expect(Math.max(...rows)).to.be.at.most(MAX_CHECKED + LIMIT + 1);
    expect(rows.length).to.be.at.least(HIDDEN / MAX_CHECKED);
  });

  it('of invitations does so too, without gap or double or the id of one that is hidden', async () => {
    const { team, seen, admin } = await open();
    const { at, world, owner } = team;
    const minute = (n: number) => new Date(Date.parse(world.time()) + n * 60_000).toISOString();
    const made = Array.from({ length: HIDDEN }, (_, n) =>
      // Some are of the same time as others, and every 3,000th is to be seen.
      invitation(at.workspaceId, {
        createdById: owner.memberId,
        role: n % 3_000 === 2_999 ? 20 : 40,
        createdAt: minute(Math.floor(n / 7)),
      }),
    );
    await world.store.write(async (tx) => {
      for (const one of made) await tx.invitations.insert(one);
    });
    const visible = new Set(made.filter(({ role }) => role === 20).map(({ id }) => id));
    const list = (cursor?: string) =>
      admin.invitations.list({ ...at, limit: LIMIT, ...(cursor !== undefined && { cursor }) });
    const { items, rows, cursors } = await partsOf(list, seen);
    expect(items.filter(({ id }) => visible.has(id))).to.have.length(visible.size);
    expect(new Set(items.map(({ id }) => id)).size).to.equal(items.length);
    expect(Math.max(...rows)).to.be.at.most(MAX_CHECKED + 2 * LIMIT);
    expect(rows.length).to.be.at.least(Math.floor(HIDDEN / MAX_CHECKED));
    const hidden = made.filter(({ role }) => role === 40);
    expect(cursors.length).to.be.at.least(2);
    for (const cursor of cursors) expect(hidden.some(({ id }) => cursor.includes(id))).to.equal(false);
    const wrong = await list(`${cursors[0]!.split('.')[0]}.@never`).catch((error: unknown) => error);
    expect(wrong).to.have.property('code', 'invalid-input');
  });
});
