import { EspalierError, invalid } from '../kernel/errors.ts';
import { partsOf } from '../model/content/board.ts';
import { type HasMetadata, METADATA, metadataBytes, newMetadata } from '../model/metadata.ts';
import type { TransferRecord } from '../model/transfer-record.ts';

/** @throws `invalid-input` for metadata that no call would have written: it could not be changed key by key */
export function requireMetadata({ kind, record }: TransferRecord): void {
  if (kind === 'user') return;
  requireBounds(kind, record);
  if (kind !== 'board') return;
  for (const status of record.statuses) requireBounds('status', status);
  for (const tag of record.tags) requireBounds('tag', tag);
  if (metadataBytes(partsOf(record)) <= METADATA.bytesOfParts) return;
  const why = `has more than ${METADATA.bytesOfParts} bytes of metadata on its statuses and tags`;
  throw invalid('', `holds a board that ${why}: ${record.id}`);
}

function requireBounds(kind: string, { id, metadata }: HasMetadata & { readonly id: string }): void {
  if (metadata === undefined) return;
  try {
    newMetadata(metadata);
  } catch (error) {
    const why = error instanceof EspalierError ? (error.errors?.[0]?.detail ?? error.message) : '';
    throw invalid('', `holds a ${kind} whose metadata ${why}: ${id}`);
  }
}
