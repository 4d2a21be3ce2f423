import { EspalierError } from '../../../core/kernel/errors.ts';
import { jsonFault } from './json-fault.ts';
import { shapeFaults, type TrelloBoard } from './shape.ts';

/**
 * Parses the text of an export.
 *
 * @throws `invalid-input` with line and column for malformed JSON (a truncated file, say), or with JSON Pointers
 * to values of another shape
 */
export function readTrelloBoard(text: string): TrelloBoard {
  const value = parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  const errors = shapeFaults(value);
  if (errors.length > 0) {
    throw new EspalierError('invalid-input', 'The file is not a board as Trello exports it.', errors);
  }
  return value as TrelloBoard;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const fault = jsonFault(text);
    if (fault === null) throw cause;
    const { line, column, detail } = fault;
    const position = `line ${line}, column ${column}`;
    throw new EspalierError('invalid-input', `The file is not JSON: at ${position} ${detail}.`, [], { cause });
  }
}
