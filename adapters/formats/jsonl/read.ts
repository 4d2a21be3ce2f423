import { createHash } from 'node:crypto';
import { EspalierError, type TransferRecord } from '../../../core/index.ts';
import { FORMAT, FORMAT_VERSION } from './write.ts';
import { requireRecord } from '../../schemas/transfer-record.ts';

/**
 * The most characters of a line. A board with a hundred times as many statuses and tags as quotas allow by default fits
 * in.
 */
export const LONGEST_LINE = 64 * 1024 * 1024;

/**
 * The records of an exported workspace, as a stream. The checksum is in the last line, so the
 * consumer must not commit anything before the end.
 *
 * @param longest characters of a line, which is parsed at once
 * @throws `invalid-input` with the line, for a file that is no export, is damaged or truncated, or has a later format
 */
export async function* recordsFrom(
  input: AsyncIterable<string | Uint8Array>,
  longest = LONGEST_LINE,
): AsyncIterableIterator<TransferRecord> {
  const hash = createHash('sha256');
  let at = 0;
  let records = 0;
  let ended = false;
  for await (const text of linesOf(input, longest)) {
    at++;
    if (ended) throw damaged(at, 'comes after the end');
    const value = parse(text, at);
    if (at === 1) requireHead(value);
    else if (value['kind'] === 'end') {
      if (value['records'] !== records)
        throw damaged(at, `counts ${String(value['records'])} records, but there are ${records}`);
      if (value['sha256'] !== hash.digest('hex'))
        throw damaged(at, 'has a checksum that does not match the lines before it');
      ended = true;
    } else {
      records++;
      yield requireRecord(value, (pointer, detail) => damaged(at, detail, pointer));
    }
    if (!ended) hash.update(`${text}\n`);
  }
  if (!ended) throw damaged(at + 1, 'is missing: the file is truncated');
}

function damaged(line: number, detail: string, pointer = ''): EspalierError {
  return new EspalierError('invalid-input', `Line ${line} ${detail}.`, [{ pointer: `/${line}${pointer}`, detail }]);
}

function parse(text: string, line: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw damaged(line, 'is not a JSON object');
}

function requireHead(value: Record<string, unknown>): void {
  if (value['kind'] !== 'head' || value['format'] !== FORMAT) throw damaged(1, 'is not the head of an export');
  if (value['version'] !== FORMAT_VERSION) {
    throw damaged(1, `is of format version ${String(value['version'])}; this release reads ${FORMAT_VERSION}`);
  }
}

/**
 * Lines end with LF, or with CRLF, into which some programs convert it. Checksums are computed over lines that end with
 * LF.
 */
export async function* linesOf(
  input: AsyncIterable<string | Uint8Array>,
  longest: number,
): AsyncIterableIterator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  /** The parts of a line that is not complete yet, joined once however many there are. */
  let begun: string[] = [];
  let length = 0;
  for await (const part of input) {
    const text = typeof part === 'string' ? part : decode(decoder, part);
    let from = 0;
    for (let end = text.indexOf('\n'); ; end = text.indexOf('\n', from)) {
      const rest = text.slice(from, end < 0 ? undefined : end);
      length += rest.length;
      if (length > longest) throw damaged(line, `is longer than ${longest} characters`);
      begun.push(rest);
      if (end < 0) break;
      yield withoutCr(begun.join(''));
      begun = [];
      length = 0;
      line += 1;
      from = end + 1;
    }
  }
  if (length > 0) yield begun.join('');
}

function withoutCr(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function decode(decoder: InstanceType<typeof TextDecoder>, part: Uint8Array): string {
  try {
    return decoder.decode(part, { stream: true });
  } catch (error) {
    throw new EspalierError('invalid-input', 'The file is not UTF-8 text.', [], { cause: error });
  }
}
