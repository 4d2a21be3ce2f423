import { createClient } from '../../adapters/client/index.ts';
import type { Browser, Page } from 'playwright-core';
import { inRounds } from '../compare.ts';
import { serving } from '../process/serve.ts';
import { judged, type Row } from '../row.ts';
import type { Scale } from '../scale.ts';
import { scratch } from '../service.ts';

/** What two people see of each other on one board, each in a browser: a move, and that access is taken away. */
export async function liveRows(
  browser: Browser,
  rounds: number,
  { cards, moves }: Scale['board'],
): Promise<readonly Row[]> {
  const service = await serving('--store', `file:${scratch('live-board.db')}`);
  try {
    const board = await twoPeople(service.url, service.token!, cards);
    const open = async (token: string) => {
      const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
      const page = await context.newPage();
      await page.goto(`${service.url}/board#token=${token}`);
      await page.locator('.card').first().waitFor();
      return page;
    };
    const [ada, ben] = [await open(service.token!), await open(board.token)];
    const measure = async () => ({
      moved: await slowestMove(ada, ben, moves),
      left: await untilGone(ben, board.allow),
    });
    const [seen] = await inRounds(rounds, [{ name: 'board', measure }]);
    return [
      judged({
        name: 'board-followed',
        work: `from a move on a board of ${cards} cards in one browser until it is in another, the longest of ${moves}`,
        unit: 'ms',
        figure: seen!.moved,
        target: { atMost: 500 },
      }),
      judged({
        name: 'board-left',
        work: `from taking away access until the ${cards} cards have left the browser`,
        unit: 'ms',
        figure: seen!.left,
        target: { atMost: 1_000 },
      }),
    ];
  } finally {
    await service.end();
  }
}

/** A board with two columns, all cards in the first, and a second person who may edit it as long as that is allowed. */
async function twoPeople(url: string, adminToken: string, cards: number) {
  const ada = createClient({ url, token: adminToken });
  const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
  const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Launch' });
  for (const name of ['Todo', 'Done']) await ada.statuses.create({ workspaceId, boardId, name });
  for (let made = 0; made < cards; made += 500) {
    const tasks = Array.from({ length: Math.min(500, cards - made) }, (_, i) => ({
      boardId,
      title: `Card ${made + i}`,
    }));
    await ada.tasks.createMany({ workspaceId, tasks });
  }
  const ben = await ada.users.create({ name: 'Ben', email: 'ben@example.org' });
  const { token } = await ada.tokens.createFor({ userId: ben.id, name: 'bench' });
  const { id: invitationId } = await ada.invitations.create({ workspaceId, email: ben.email, role: 20 });
  const { id: memberId } = await createClient({ url, token }).invitations.join({ invitationId });
  const allow = (access: 0 | 300) => ada.access.grant({ workspaceId, pageId: boardId, memberId, access });
  await allow(300);
  return { token, allow };
}

/** Milliseconds. The first card of one column goes to the start of the other, by its menu. */
async function slowestMove(from: Page, to: Page, moves: number): Promise<number> {
  let slowest = 0;
  for (let i = 0; i < moves; i += 1) {
    const there = `document.querySelectorAll('.column')[${(i + 1) % 2}].querySelector('.card')`;
    const card = from
      .locator('.column')
      .nth(i % 2)
      .locator('.card')
      .first();
    const id = await card.getAttribute('id');
    await card.locator('.move').click();
    const seen = to.evaluate<number>(untilTrue(`${there}?.id === '${id}'`));
    const sent = await from.evaluate<number>(
      `(document.querySelector(':popover-open button:last-child').click(), Date.now())`,
    );
    slowest = Math.max(slowest, (await seen) - sent);
    await from.evaluate(untilTrue(`${there}?.id === '${id}'`));
  }
  return slowest;
}

/** Milliseconds from the call on. */
async function untilGone(page: Page, allow: (access: 0 | 300) => Promise<unknown>): Promise<number> {
  const gone = page.evaluate<number>(untilTrue(`document.querySelector('.card') === null`));
  const begun = Date.now();
  await allow(0);
  const milliseconds = (await gone) - begun;
  await allow(300);
  await page.locator('.card').first().waitFor();
  return milliseconds;
}

/** An expression for the time when something is true, asked once a frame. */
function untilTrue(condition: string): string {
  return `new Promise((done) => {
    const look = () => (${condition} ? done(Date.now()) : requestAnimationFrame(look));
    look();
  })`;
}
