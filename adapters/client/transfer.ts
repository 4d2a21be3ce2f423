import { randomUUID } from 'node:crypto';
import { EspalierError } from '../../core/kernel/errors.ts';
import { requireCallOptions } from '../../core/ports/call-options.ts';
import type { CallOptions, Session } from '../../core/session.ts';
import type { ExportWorkspace } from '../../core/transfer/export.ts';
import type { ImportedWorkspace, ImportWorkspace } from '../../core/transfer/import.ts';
import { noRecords, type TransferCount } from '../../core/model/transfer-record.ts';
import { cutOff, recordsFrom, snapshotFrom } from '../formats/jsonl/index.ts';
import { JSON_LINES } from '../schemas/http-names.ts';
import { requireStreamedWorkspace, requireStreamInput, streams } from '../schemas/streams.ts';
import { expectOk, jsonOf } from './answer.ts';
import { downloadedLines } from './line-download.ts';
import { lineUpload } from './line-upload.ts';
import { withRetries } from './send.ts';
import type { Authorization, RemoteService } from './remote-service.ts';
import { stallTimeout } from './stall-timeout.ts';

/** Exports, imports and snapshots of workspaces, as streams: never held in memory, and retried only while no data has moved. */
export function transfers(service: RemoteService) {
  const { base, transport } = service;

  async function exportWorkspace(input: ExportWorkspace, call: CallOptions = {}): Promise<TransferCount> {
    requireCallOptions(call);
    requireStreamInput(streams.export.useCase, input);
    const { workspaceId, sink } = input;
    const count = noRecords();
    for await (const record of recordsFrom(downloadedLines(service, workspaceId, 'export', call))) {
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
      for await (const item of snapshotFrom(downloadedLines(service, workspaceId, 'snapshot', call))) {
        if (item.kind === 'head') call?.onCursor?.(item.cursor);
        isBegun = true;
        yield item;
      }
    } catch (error) {
      throw isBegun && isUnavailable(error) ? cutOff(error) : error;
    }
  };

  async function importWorkspace(input: ImportWorkspace, call: CallOptions = {}): Promise<ImportedWorkspace> {
    requireCallOptions(call);
    requireStreamInput(streams.import.useCase, input);
    const { records } = input;
    const idle = stallTimeout(transport.timeout);
    const upload = lineUpload(records, idle, transport.timeout);
    const key = call.idempotencyKey?.key ?? randomUUID();
    try {
      const attempt = (authorization: Authorization) => {
        const init: RequestInit & { readonly duplex: 'half' } = {
          method: 'POST',
          headers: { ...authorization, accept: 'application/json', 'content-type': JSON_LINES, 'idempotency-key': key },
          body: upload.body(),
          duplex: 'half',
          redirect: 'manual',
          signal: idle.restart(),
        };
        return transport.fetch(`${base}/api/import`, init);
      };
      const response = await withRetries(service, {
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
