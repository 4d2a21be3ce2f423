import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readTrelloBoard, type TrelloBoard } from '../../../adapters/formats/trello/index.ts';

/** A board in the form of Trello's export, with something of everything. Seen from `dist/test/unit/trello`. */
export const BOARD_FILE = fileURLToPath(new URL('../../../../test/unit/trello/board.json', import.meta.url));

export function boardText(): string {
  return readFileSync(BOARD_FILE, 'utf8');
}

/** The board, with changes to the JSON before it is read. */
export function board(change: (json: BoardJson) => void = () => undefined): TrelloBoard {
  const json = JSON.parse(boardText()) as BoardJson;
  change(json);
  return readTrelloBoard(JSON.stringify(json));
}

type Json = Record<string, unknown>;
export type BoardJson = Json & { cards: Json[]; lists: Json[]; labels: Json[]; actions: Json[] };
