import { createHash } from 'node:crypto';
import { EspalierError, type TransferRecord } from '../../../core/index.ts';
import { FORMAT, FORMAT_VERSION } from './write.ts';
import { requireRecord } from './record.ts';

/** The most characters of a line. Only boards with very many tags come near it. */
const LONGEST_LINE = 64 * 1024 * 1024;

/**
 * The records of an exported workspace, as a stream. The checksum is in the last line, so the
 * consumer must not commit anything before the end.
 *
 * @throws `invalid-input` with the line, for a file that is no export, is damaged or truncated, or has a later format
 */
export async function* recordsFrom(input: AsyncIterable<string | Uint8Array>): AsyncIterableIterator<TransferRecord> {
  const hash = createHash('sha256');
  let at = 0;
  let records = 0;
  let ended = false;
  for await (const text of linesOf(input)) {
    at++;
    if (ended) throw damaged(at, 'comes after the end');
    const value = parse(text, at);
    if (at === 1) requireHead(value);
    else if (value['kind'] === 'end') {
      if (value['records'] !== records)
        throw damaged(at, `tells of ${String(value['records'])} records, there are ${records}`);
      if (value['sha256'] !== hash.digest('hex')) throw damaged(at, 'has another checksum than what comes before it');
      ended = true;
    } else {
      records++;
      yield requireRecord(value, (pointer, detail) => damaged(at, detail, pointer));
    }
    if (!ended) hash.update(`${text}\n`);
  }
  if (!ended) throw damaged(at + 1, 'is missing: the file is cut off');
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

async function* linesOf(input: AsyncIterable<string | Uint8Array>): AsyncIterableIterator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const part of input) {
    rest += typeof part === 'string' ? part : decode(decoder, part);
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new EspalierError('invalid-input', 'The file is not made of lines.');
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function decode(decoder: InstanceType<typeof TextDecoder>, part: Uint8Array): string {
  try {
    return decoder.decode(part, { stream: true });
  } catch (error) {
    throw new EspalierError('invalid-input', 'The file is not UTF-8 text.', [], { cause: error });
  }
}
