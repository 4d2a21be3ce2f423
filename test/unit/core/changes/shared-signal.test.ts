import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import { nextTurn } from '../../../../adapters/event-loop/next-turn.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { newWorld } from '../../../fixtures/world/world.ts';

const SECONDS = 60;
const CALLS = ['waits', 'watches', 'snapshots', 'exports'] as const;

describe('a signal that many calls share', () => {
  for (const call of CALLS) {
    it(`has one listener for all ${call}, and ends each`, async () => {
      const timers = new ManualTimers();
      const { owner, at } = await newTeam(newWorld(memoryStore(), 0, timers), 0);
      const stop = new AbortController();
      const { signal } = stop;
      let since = '';
      await owner.workspaces.get(at, { onCursor: (cursor) => void (since = cursor) });
      let begun = 0;
      const begins = () => void (begun += 1);
      const stalls = () => {
        begins();
        return new Promise<void>(() => undefined);
      };
      const begin = {
        waits: () => owner.changes.list({ ...at, since, wait: SECONDS }, { signal, onPassed: begins }),
        watches: () => owner.changes.watch({ ...at, signal }, { onCursor: begins }).next(),
        snapshots: async () => {
          const items = owner.changes.snapshot(at, { signal });
          await items.next();
          begins();
          while (!signal.aborted) await nextTurn();
          return items.next();
        },
        exports: () => owner.exports.workspace({ ...at, sink: stalls }, { signal }),
      }[call];
      const ends = [1, 2, 3].map(() => begin().catch((error: unknown) => error));
      while (begun < ends.length) await nextTurn();
      expect(getEventListeners(signal, 'abort')).to.have.length(1);
      stop.abort(new Error('enough'));
      const end = call === 'watches' ? { done: true, value: undefined } : signal.reason;
      expect(await Promise.all(ends)).to.deep.equal(ends.map(() => end));
      expect(getEventListeners(signal, 'abort')).to.deep.equal([]);
    });
  }
});
