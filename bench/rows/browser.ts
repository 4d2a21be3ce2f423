import type { Browser } from 'playwright-core';
import { chromiumIfAny } from '../../test/fixtures/process/chromium.ts';
import { inRounds } from '../compare.ts';
import type { Part } from '../part.ts';
import { serving } from '../process/serve.ts';
import { judged } from '../row.ts';
import type { Scale } from '../scale.ts';
import { copyOf } from '../seeded.ts';
import { SMALL } from '../world/shape.ts';
import { liveRows } from './browser-live.ts';

/** By how many pixels a column is scrolled in each frame. */
const PIXELS = 60;

/** The board in a browser, where there is Chromium: until all cards are there, while a column is scrolled, and what others do. */
export const browserPart: Part = {
  name: 'browser',
  async run({ rounds, board }) {
    const browser = await chromiumIfAny();
    if (browser === null) return [];
    const { path, token } = await copyOf({ ...SMALL, tasks: board.cards });
    const service = await serving('--store', `file:${path}`);
    try {
      const side = { name: 'board', measure: () => opened(browser, `${service.url}/board#token=${token}`, board) };
      const [seen] = await inRounds(rounds, [side]);
      const { opened: milliseconds, scrolling, still, longest } = seen!;
      return [
        judged({
          name: 'board-opened',
          work: `open the board in a browser until its ${board.cards} cards are there, embedded`,
          unit: 'ms',
          figure: milliseconds,
          target: { atMost: 1_000 },
        }),
        judged({
          name: 'board-scrolled',
          work: `a frame of scrolling its longest column, ${board.cards} cards, the 95th percentile`,
          unit: 'ms',
          figure: scrolling,
          against: 'a frame of the page at rest',
          limit: still,
          target: { atMost: 2 },
          beside: { 'longest frame, ms': longest },
        }),
        ...(await liveRows(browser, rounds, board)),
      ];
    } finally {
      await browser.close();
      await service.end();
    }
  },
};

/** Milliseconds; of frames the 95th percentile of the time between two. */
type Seen = Readonly<Record<'opened' | 'scrolling' | 'still' | 'longest', number>>;

async function opened(browser: Browser, address: string, { cards, frames }: Scale['board']): Promise<Seen> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.goto(address);
    const shown = `[...document.querySelectorAll('.column h2 .quiet')].reduce((sum, one) => sum + Number(one.textContent), 0)`;
    const milliseconds = await page.evaluate<number>(`new Promise((done) => {
      const look = () => (${shown} === ${cards} ? done(performance.now()) : requestAnimationFrame(look));
      look();
    })`);
    const still = await page.evaluate<number[]>(framesWith(frames, 'undefined'));
    const scrolling = await page.evaluate<number[]>(
      `const column = document.querySelector('.column ol'); ${framesWith(frames, `(column.scrollTop += ${PIXELS})`)}`,
    );
    return {
      opened: milliseconds,
      scrolling: percentile(scrolling),
      still: percentile(still),
      longest: Math.max(...scrolling),
    };
  } finally {
    await context.close();
  }
}

/** An expression for the times between frames, with something done in each. */
function framesWith(frames: number, work: string): string {
  return `new Promise((done) => {
    const times = [];
    const next = (last) => requestAnimationFrame((now) => {
      times.push(now - last);
      ${work};
      times.length === ${frames} ? done(times) : next(now);
    });
    requestAnimationFrame(next);
  })`;
}

function percentile(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!;
}
