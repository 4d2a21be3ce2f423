import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { EspalierError } from '../../core/kernel/errors.ts';
import { requireCallOptions } from '../../core/ports/call-options.ts';
import { LONGEST_TIMER } from '../../core/ports/timers.ts';
import type { CallOptions, Session } from '../../core/session.ts';
import type { ExportWorkspace } from '../../core/transfer/export.ts';
import type { ImportedWorkspace, ImportWorkspace } from '../../core/transfer/import.ts';
import { noRecords, type TransferCount, type TransferRecord } from '../../core/model/transfer-record.ts';
import { cutOff, linesTo, recordsFrom, snapshotFrom } from '../formats/jsonl/index.ts';
import { LINES } from '../schemas/http-names.ts';
import { requireStreamedWorkspace, requireStreamInput, streams } from '../schemas/streams.ts';
import { expectOk, jsonOf, notEspalier } from './answer.ts';
import { segmentOf } from './path.ts';
import { sendable } from './sendable.ts';
import { stallTimeout, type StallTimeout } from './stall-timeout.ts';
import { withRetries, unreachable, type Transport } from './send.ts';

type Headers = Readonly<Record<string, string>>;

/** Exports, imports and snapshots of workspaces, as streams: never held in memory, and retried only while no data has moved. */
export function transfers(base: string, headers: Headers, transport: Transport) {
  /** The body of an answer in lines, as it arrives. */
  async function* linesOf(workspaceId: string, what: string, call: CallOptions = {}): AsyncGenerator<Uint8Array> {
    const url = `${base}/api/workspace/${segmentOf(workspaceId)}/${what}`;
    const idle = stallTimeout(transport.timeout);
    const given = call.signal as AbortSignal | undefined;
    const signal = given === undefined ? idle.signal : AbortSignal.any([given, idle.signal]);
    const id = call.requestId === undefined ? {} : { 'x-request-id': sendable(call.requestId) };
    const init = { headers: { ...headers, ...id, accept: LINES }, redirect: 'manual', signal } as const;
    const retried = {
      isRepeatable: () => true,
      attempt() {
        idle.moved();
        return transport.fetch(url, init);
      },
    };
    try {
      const response = await expectOk(base, await withRetries(base, transport, { ...retried, signal: given }));
      if (response.headers.get('content-type')?.startsWith(LINES) !== true) throw notEspalier(base, 'no JSON Lines');
      yield* watched(base, idle, response.body as unknown as AsyncIterable<Uint8Array>);
    } finally {
      idle.end();
    }
  }

  async function exportWorkspace(input: ExportWorkspace, call: CallOptions = {}): Promise<TransferCount> {
    requireCallOptions(call);
    requireStreamInput(streams.export.useCase, input);
    const { workspaceId, sink } = input;
    const count = noRecords();
    for await (const record of recordsFrom(linesOf(workspaceId, 'export', call))) {
      count[record.kind]++;
      await sink(record);
    }
    return count;
  }

  const snapshot: Session['changes']['snapshot'] = async function* snapshot(input, call) {
    requireCallOptions(call);
    const { workspaceId } = requireStreamedWorkspace(input);
    let isBegun = false;
    try {
      for await (const item of snapshotFrom(linesOf(workspaceId, 'snapshot', call))) {
        if (item.kind === 'head') call?.onCursor?.(item.cursor);
        isBegun = true;
        yield item;
      }
    } catch (error) {
      (call?.signal as AbortSignal | undefined)?.throwIfAborted();
      throw isBegun && isUnavailable(error) ? cutOff(error) : error;
    }
  };

  async function importWorkspace(input: ImportWorkspace, call: CallOptions = {}): Promise<ImportedWorkspace> {
    requireCallOptions(call);
    requireStreamInput(streams.import.useCase, input);
    const { records } = input;
    const idle = stallTimeout(transport.timeout);
    const upload = uploadOf(records, idle, Math.min(UPLOAD_TIMES * transport.timeout, LONGEST_TIMER));
    const key = call.idempotencyKey?.key ?? randomUUID();
    try {
      const attempt = () => {
        idle.moved();
        const init: RequestInit & { readonly duplex: 'half' } = {
          method: 'POST',
          headers: { ...headers, accept: 'application/json', 'content-type': LINES, 'idempotency-key': key },
          body: upload.body(),
          duplex: 'half',
          redirect: 'manual',
          signal: idle.signal,
        };
        return transport.fetch(`${base}/api/import`, init);
      };
      const response = await withRetries(base, transport, {
        attempt,
        isRepeatable: () => true,
        isWrite: true,
        canResend: () => !upload.begun(),
      });
      return (await jsonOf(base, await expectOk(base, response, true))) as ImportedWorkspace;
    } catch (error) {
      // Prefer the caller's own error: the records that it supplied are at fault.
      throw upload.failure() ?? error;
    } finally {
      idle.end();
    }
  }

  return { exports: { workspace: exportWorkspace }, imports: { workspace: importWorkspace }, snapshot };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof EspalierError && error.code === 'store-unavailable';
}

/** The chunks of a response as they arrive. The stall timeout is paused while the consumer is working. */
async function* watched(
  base: string,
  idle: StallTimeout,
  parts: AsyncIterable<Uint8Array>,
): AsyncIterableIterator<Uint8Array> {
  try {
    for await (const part of parts) {
      idle.end();
      yield part;
      idle.moved();
    }
  } catch (error) {
    throw unreachable(base, error);
  }
}

const PART = 64 * 1024;

/**
 * How many times as long the next part of an import may not be taken, or its answer take, as other data may stand still.
 * The system buffers some megabytes: over a slow line they take long to move before there is room for more, and the
 * service is still to write them when all is sent.
 */
const UPLOAD_TIMES = 10;

/** The records as lines, serialised as they are sent. @param limit from one part to the next, and to the answer, in milliseconds */
function uploadOf(records: AsyncIterable<TransferRecord>, idle: StallTimeout, limit: number) {
  let begun = false;
  let failure: unknown;
  async function* parts(): AsyncIterableIterator<Uint8Array> {
    begun = true;
    let texts: string[] = [];
    let size = 0;
    const out = new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        texts.push(text);
        size += text.length;
        done();
      },
    });
    const taken = () => {
      idle.moved(limit);
      const part = Buffer.from(texts.join(''));
      texts = [];
      size = 0;
      return part;
    };
    const lines = linesTo(out);
    // The stall timeout is paused while the records are made.
    idle.end();
    try {
      for await (const record of records) {
        await lines.write(record);
        if (size < PART) continue;
        yield taken();
        idle.end();
      }
    } catch (error) {
      failure = error;
      throw error;
    }
    await lines.end();
    yield taken();
  }
  return { body: () => ReadableStream.from(parts()), begun: () => begun, failure: () => failure };
}
