import assert from 'node:assert/strict';
import type { Purge } from '../../core/model/job.ts';
import type { AnyCollection } from '../../core/ports/collection.ts';
import { onStore } from './opened.ts';
import { auditRecord, change, identity, instant, newId, purge } from './records.ts';
import type { StoreTarget } from './target.ts';

/** What is kept beside the content: when people were active, jobs, changes and audit records. */
export function recordKeepingContract(target: StoreTarget): void {
  describe('activity, jobs and changes', () => {
    it(
      'activity keeps the latest time',
      onStore(target, async (store) => {
        const [a, b] = [newId(), newId()];
        await store.write(async (tx) => {
          await tx.activity.touch(a, instant(5));
          await tx.activity.touch(a, instant(3));
          await tx.activity.touch(b, instant(1));
        });
        await store.write((tx) => tx.activity.touch(b, instant(2)));
        const found = await store.read((tx) => tx.activity.of([a, b, newId()]));
        assert.deepEqual(
          new Map(found),
          new Map([
            [a, instant(5)],
            [b, instant(2)],
          ]),
        );
      }),
    );

    it(
      'jobs come by workspace and oldest first, part by part, until removed',
      onStore(target, async (store) => {
        const [a, b, c] = [newId(), newId(), newId()].toSorted() as [string, string, string];
        const jobs = [b, a, a, c, a].map((workspaceId) => purge(workspaceId));
        await store.write(async (tx) => {
          for (const each of jobs.toReversed()) await tx.jobs.insert(each);
        });
        const [ofB, a1, a2, ofC, a3] = jobs as [Purge, Purge, Purge, Purge, Purge];
        await store.read(async (tx) => {
          assert.deepEqual(await tx.jobs.list('all', {}, { limit: 9 }), [a1, a2, a3, ofB, ofC]);
          assert.deepEqual(await tx.jobs.list('all', {}, { limit: 2 }), [a1, a2]);
          assert.deepEqual(await tx.jobs.list('all', {}, { after: { workspaceId: a, id: a2.id }, limit: 2 }), [
            a3,
            ofB,
          ]);
          assert.deepEqual(await tx.jobs.list('all', {}, { after: { workspaceId: a }, limit: 9 }), [ofB, ofC]);
          assert.deepEqual(await tx.jobs.list('all', {}, { after: { workspaceId: c, id: ofC.id }, limit: 9 }), []);
          assert.deepEqual(await tx.jobs.list('ofWorkspace', { workspaceId: a }, { limit: 2 }), [a1, a2]);
          assert.deepEqual(await tx.jobs.list('ofWorkspace', { workspaceId: a }, { after: a2.id, limit: 2 }), [a3]);
          assert.deepEqual(await tx.jobs.list('ofWorkspace', { workspaceId: newId() }, { limit: 2 }), []);
          assert.deepEqual(await tx.jobs.get(b, ofB.id), ofB);
          assert.equal(await tx.jobs.get(a, ofB.id), null);
          assert.equal(await tx.jobs.get(b, newId()), null);
        });
        const shrunk = { ...a2, boards: [], lease: { runner: newId(), until: instant(9) } };
        await store.write(async (tx) => {
          await tx.jobs.remove(a1);
          await tx.jobs.replace(shrunk);
          assert.deepEqual(await tx.jobs.list('ofWorkspace', { workspaceId: a }, { limit: 9 }), [shrunk, a3]);
          assert.deepEqual(await tx.jobs.get(a, a2.id), shrunk);
        });
        assert.deepEqual(await store.read((tx) => tx.jobs.list('all', {}, { limit: 9 })), [shrunk, a3, ofB, ofC]);
      }),
    );

    it(
      'changes, audit and identities are never replaced nor removed',
      onStore(target, async (store) => {
        const [made, audited] = [change(newId()), auditRecord(newId())];
        const linked = identity(newId());
        await store.write(async (tx) => {
          await tx.changes.insert(made);
          await tx.audit.insert(audited);
          await tx.identities.insert(linked);
        });
        for (const operation of ['replace', 'remove'] as const) {
          for (const [name, record] of [
            ['changes', made],
            ['audit', audited],
            ['identities', linked],
          ] as const) {
            // The types leave no way to this.
            const write = store.write((tx) =>
              (tx as unknown as Record<string, AnyCollection>)[name]![operation](record),
            );
            await assert.rejects(write, TypeError);
          }
        }
        await store.read(async (tx) => {
          assert.deepEqual(await tx.changes.get(made.workspaceId!, made.id), made);
          assert.deepEqual(await tx.audit.get(audited.workspaceId!, audited.id), audited);
          assert.deepEqual(await tx.identities.by(linked), linked);
        });
      }),
    );

    it(
      'changes are listed by workspace, part by part',
      onStore(target, async (store) => {
        const id = newId();
        const changes = Array.from({ length: 5 }, () => change(id));
        await store.write(async (tx) => {
          for (const each of [change(null), ...changes, change(newId())]) await tx.changes.insert(each);
        });
        await store.read(async (tx) => {
          assert.deepEqual(
            await tx.changes.list('ofWorkspace', { workspaceId: id }, { limit: 3 }),
            changes.slice(0, 3),
          );
          assert.deepEqual(
            await tx.changes.list('ofWorkspace', { workspaceId: id }, { after: changes[2]!.id, limit: 3 }),
            changes.slice(3),
          );
          assert.deepEqual(await tx.changes.list('ofWorkspace', { workspaceId: newId() }, { limit: 3 }), []);
        });
      }),
    );
  });
}
