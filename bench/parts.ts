import type { Options } from './options.ts';
import type { Part } from './part.ts';
import { alphabetsPart } from './rows/alphabets.ts';
import { boardsPart } from './rows/boards.ts';
import { browserPart } from './rows/browser.ts';
import { cascadePart } from './rows/cascade.ts';
import { buildsPart } from './rows/builds.ts';
import { commandsPart } from './rows/commands.ts';
import { columnsPart } from './rows/columns.ts';
import { connectsPart } from './rows/connects.ts';
import { corePart } from './rows/core.ts';
import { embeddedPart } from './rows/embedded.ts';
import { growthPart } from './rows/growth.ts';
import { manyPart } from './rows/many.ts';
import { memoryPart } from './rows/memory.ts';
import { mongodbPart } from './rows/mongodb.ts';
import { movesPart } from './rows/moves.ts';
import { pagesPart } from './rows/pages.ts';
import { peersPart } from './rows/peers.ts';
import { sizePart } from './rows/size.ts';
import { soakPart } from './rows/soak.ts';
import { startPart } from './rows/start.ts';
import { streamsPart } from './rows/streams.ts';
import { transactionsPart } from './rows/transactions.ts';
import { trimmingPart } from './rows/trimming.ts';
import { volumeParts } from './rows/volume.ts';
import { waitsPart } from './rows/waits.ts';
import { workersPart } from './rows/workers.ts';
import { workspacesPart } from './rows/workspaces.ts';

/** The table of the quick run. All parts are in the order in which they run. */
const QUICK: readonly Part[] = [corePart, memoryPart, embeddedPart, mongodbPart, startPart, commandsPart];

const ALL: readonly Part[] = [
  ...QUICK,
  browserPart,
  pagesPart,
  alphabetsPart,
  peersPart,
  connectsPart,
  columnsPart,
  manyPart,
  movesPart,
  buildsPart,
  workersPart,
  workspacesPart,
  sizePart,
  boardsPart('memory'),
  boardsPart('embedded'),
  boardsPart('MongoDB'),
  waitsPart('memory'),
  waitsPart('embedded'),
  cascadePart('memory'),
  cascadePart('embedded'),
  cascadePart('MongoDB'),
  growthPart('memory'),
  growthPart('embedded'),
  growthPart('MongoDB'),
  ...volumeParts('memory'),
  ...volumeParts('embedded'),
  ...volumeParts('MongoDB'),
  streamsPart,
  trimmingPart('memory'),
  trimmingPart('embedded'),
  trimmingPart('MongoDB'),
  transactionsPart,
  soakPart,
];

export const PARTS = ALL.map(({ name }) => name);

/** The named parts. Without names, the parts of the table, or all parts if the scale is not the quick one. */
export function partsOf({ only, scale, share }: Pick<Options, 'only' | 'scale' | 'share'>): readonly Part[] {
  if (only.length > 0) return ALL.filter(({ name }) => only.includes(name));
  return (scale === 'quick' ? QUICK : ALL).filter((_, n) => n % share.of === share.nth);
}
