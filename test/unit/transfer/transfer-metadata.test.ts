import { assert } from 'chai';
import { Readable } from 'node:stream';
import type { Metadata, TransferRecord } from '../../../core/index.ts';
import { tag } from '../../contract/records.ts';
import { rejects } from '../../fixtures/errors.ts';
import { newWorld } from '../../fixtures/world/world.ts';
import { acme, exportedRecords, isEmpty } from './exported.ts';

const isInvalid = (error: { code?: string }) => error.code === 'invalid-input';

/** A record with other metadata where it is of this kind, and has some. */
function withMetadata(transferred: TransferRecord, kind: string, metadata: Metadata): TransferRecord {
  const { record } = transferred;
  if (transferred.kind === kind && 'metadata' in record) {
    return { ...transferred, record: { ...record, metadata } } as TransferRecord;
  }
  if (transferred.kind !== 'board' || (kind !== 'status' && kind !== 'tag')) return transferred;
  const parts = kind === 'status' ? 'statuses' : 'tags';
  const changed = transferred.record[parts].map((one) => ('metadata' in one ? { ...one, metadata } : one));
  return { kind: 'board', record: { ...transferred.record, [parts]: changed } };
}

describe('metadata in export and import', () => {
  it('is refused where no call would have written it, of every kind of record', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here, 4);
    const records = await exportedRecords(here, workspaceId);
    const large = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'x'.repeat(500)]));
    for (const kind of ['workspace', 'member', 'page', 'board', 'status', 'tag', 'task', 'comment']) {
      for (const metadata of [{ n: Infinity }, { 'no key': 1 }, { text: 'x'.repeat(501) }, large]) {
        const there = newWorld();
        const given = Readable.from(records.map((one) => withMetadata(one, kind, metadata)));
        await rejects(there.operator.imports.workspace({ records: given }), isInvalid);
        assert(await isEmpty(there, workspaceId), kind);
      }
    }
  });

  it('is refused where the statuses and tags of a board have more than calls would have written', async () => {
    const here = newWorld();
    const { workspaceId } = await acme(here, 0);
    const metadata = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`k${n}`, 'x'.repeat(500)]));
    const records = (await exportedRecords(here, workspaceId)).map((one): TransferRecord => {
      if (one.kind !== 'board') return one;
      const tags = Array.from({ length: 35 }, (_, n) => tag({ name: `${n}`, metadata }));
      return { kind: 'board', record: { ...one.record, tags } };
    });
    const there = newWorld();
    await rejects(there.operator.imports.workspace({ records: Readable.from(records) }), isInvalid);
    assert(await isEmpty(there, workspaceId));
  });
});
