import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { EspalierError } from '../../core/errors.ts';
import type { CallOptions } from '../../core/session.ts';
import type { ExportWorkspace } from '../../core/transfer/export.ts';
import type { ImportedWorkspace, ImportWorkspace } from '../../core/transfer/import.ts';
import { noRecords, type TransferCount, type TransferRecord } from '../../core/transfer/record.ts';
import { linesTo, recordsFrom } from '../jsonl/index.ts';
import { errorOf } from './result.ts';
import type { Transport } from './send.ts';

const LINES = 'application/x-ndjson';

type Headers = Readonly<Record<string, string>>;

/** Whole workspaces, as streams: never held in memory, and never asked for twice. */
export function transfers(base: string, headers: Headers, transport: Transport) {
  const ask = async (path: string, init: RequestInit): Promise<Response> => {
    const response = await transport.fetch(base + path, { ...init, redirect: 'error' }).catch((error: unknown) => {
      throw new EspalierError('store-unavailable', `The service at ${base} cannot be reached.`, [], { cause: error });
    });
    if (!response.ok) throw await errorOf(response);
    return response;
  };

  async function exportWorkspace({ workspaceId, sink }: ExportWorkspace): Promise<TransferCount> {
    const path = `/api/workspace/${encodeURIComponent(workspaceId)}/export`;
    const { body } = await ask(path, { headers: { ...headers, accept: LINES } });
    const count = noRecords();
    for await (const record of recordsFrom(body as unknown as AsyncIterable<Uint8Array>)) {
      count[record.kind]++;
      await sink(record);
    }
    return count;
  }

  async function importWorkspace({ records }: ImportWorkspace, call: CallOptions = {}): Promise<ImportedWorkspace> {
    const upload = uploadOf(records);
    const key = call.once?.key ?? randomUUID();
    try {
      const init: RequestInit & { readonly duplex: 'half' } = {
        method: 'POST',
        headers: { ...headers, accept: 'application/json', 'content-type': LINES, 'idempotency-key': key },
        body: upload.body,
        duplex: 'half',
      };
      const response = await ask('/api/import', init);
      return (await response.json()) as ImportedWorkspace;
    } catch (error) {
      // What is wrong with the records themselves is what whoever gave them has to hear.
      throw upload.failure() ?? error;
    }
  }

  return { exports: { workspace: exportWorkspace }, imports: { workspace: importWorkspace } };
}

const PART = 64 * 1024;

/** The records as lines, made as they are sent. */
function uploadOf(records: AsyncIterable<TransferRecord>) {
  let failure: unknown;
  async function* parts(): AsyncIterableIterator<Uint8Array> {
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
      const part = Buffer.from(texts.join(''));
      texts = [];
      size = 0;
      return part;
    };
    const lines = linesTo(out);
    try {
      for await (const record of records) {
        await lines.write(record);
        if (size >= PART) yield taken();
      }
    } catch (error) {
      failure = error;
      throw error;
    }
    await lines.end();
    yield taken();
  }
  return { body: ReadableStream.from(parts()), failure: () => failure };
}
