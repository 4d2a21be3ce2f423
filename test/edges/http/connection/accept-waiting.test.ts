import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { acceptWaiting } from '../../../../adapters/http/connection/accept-waiting.ts';

describe('a server that is about to stop listening', () => {
  it('goes on until a short turn of the event loop in which no connection arrived, or until the time is over', async () => {
    const turn = fc.record({ accepts: fc.boolean(), milliseconds: fc.constantFrom(0, 0.1, 1, 50) });
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 20 }), fc.nat({ max: 20 }), async (turns, allowed) => {
        const server = new EventEmitter();
        let now = 1_000;
        let passed = 0;
        let end: number | null = null;
        const isOver = () => passed > allowed;
        const waited = acceptWaiting(server as Server, isOver, () => now).then(() => (end = passed));
        // The turn in which it begins counts for nothing.
        server.emit('connection');
        await setImmediate();
        for (const { accepts, milliseconds } of turns) {
          if (end !== null) break;
          passed += 1;
          if (accepts) server.emit('connection');
          now += milliseconds;
          await setImmediate();
        }
        passed = end ?? passed + 1;
        await waited;
        const last = turns.findIndex(
          ({ accepts, milliseconds }, i) => i + 1 > allowed || (!accepts && milliseconds < 0.2),
        );
        expect(end).to.equal(last < 0 ? turns.length + 1 : last + 1);
        expect(server.listenerCount('connection')).to.equal(0);
      }),
    );
  });
});
