import type { Part } from './part.ts';
import { cascadePart } from './rows/cascade.ts';
import { commandsPart } from './rows/commands.ts';
import { columnsPart } from './rows/columns.ts';
import { corePart } from './rows/core.ts';
import { embeddedPart } from './rows/embedded.ts';
import { growthPart } from './rows/growth.ts';
import { memoryPart } from './rows/memory.ts';
import { mongodbPart } from './rows/mongodb.ts';
import { pagesPart } from './rows/pages.ts';
import { peersPart } from './rows/peers.ts';
import { sizePart } from './rows/size.ts';
import { soakPart } from './rows/soak.ts';
import { startPart } from './rows/start.ts';
import { volumePart } from './rows/volume.ts';
import { waitsPart } from './rows/waits.ts';

/** In the order in which they run. */
const ALL: readonly Part[] = [
  corePart,
  memoryPart,
  pagesPart,
  embeddedPart,
  peersPart,
  mongodbPart,
  columnsPart,
  startPart,
  commandsPart,
  sizePart,
  waitsPart('memory'),
  waitsPart('embedded'),
  cascadePart('memory'),
  cascadePart('embedded'),
  cascadePart('MongoDB'),
  growthPart('memory'),
  growthPart('embedded'),
  growthPart('MongoDB'),
  volumePart('memory'),
  volumePart('embedded'),
  volumePart('MongoDB'),
  soakPart,
];

export const PARTS = ALL.map(({ name }) => name);

/** Those of these names, or all. */
export function partsOf(only: readonly string[]): readonly Part[] {
  return only.length === 0 ? ALL : ALL.filter(({ name }) => only.includes(name));
}
