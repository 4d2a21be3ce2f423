import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { createEngine } from '../../../core/engine.ts';
import type { JobFailure } from '../../../core/jobs/failure.ts';
import { JobRunner } from '../../../core/jobs/runner.ts';
import { sessionOf } from '../../../core/session.ts';
import type { Guard } from '../../../core/write/guards.ts';
import { rejects } from '../../fixtures/errors.ts';
import { finishJobs } from '../../fixtures/jobs.ts';
import { outcome } from '../../fixtures/world/world.ts';
import { guarded } from './guarded.ts';

describe('guards that fail', () => {
  it('end a copy, and delay other jobs until they pass; the host is told of both', async () => {
    let throws = true;
    const failing: Guard = ({ inSteps }) => {
      if (inSteps && throws) throw new RangeError('broken');
    };
    const { at, boardId, todo, world, owner } = await guarded();
    const failures: string[] = [];
    const onJobFailure = ({ job, error }: JobFailure) => void failures.push(`${job!.kind} ${String(error)}`);
    const engine = createEngine({ ...world.ports, guards: [failing], onJobFailure });
    const ada = sessionOf(engine, { kind: 'user', userId: owner.userId });
    const tasks = Array.from({ length: 60 }, (_, n) => ({ boardId, title: `t${n}` }));
    await ada.tasks.createMany({ ...at, tasks });
    expect(await outcome(ada.boards.copy({ ...at, boardId, tasks: true }))).to.equal('copy-failed');
    expect(failures).to.deep.equal(['copy RangeError: broken']);
    await finishJobs(world.ports);
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
    expect(await owner.boards.list(at)).to.have.length(1);

    const { id: done } = await ada.statuses.create({ ...at, boardId, name: 'Done' });
    const runner = new JobRunner({ ...world.ports, guards: [failing], onJobFailure });
    await ada.statuses.delete({ ...at, boardId, statusId: todo, moveTo: done }).catch(() => undefined);
    for (let n = 0; n < 3; n += 1) {
      world.pass(100_000);
      await runner.step();
    }
    // Once for each cause.
    expect(failures.slice(1)).to.deep.equal(['status-removal RangeError: broken']);
    throws = false;
    world.pass(100_000);
    while ((await runner.step()) === 0);
    expect((await owner.tasks.list({ ...at, statusId: [done], count: true })).total).to.equal(60);
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('make the call fail without effect, as do those that return anything else', async () => {
    const failing: Guard = () => {
      throw new Error('broken');
    };
    const late = (() => Promise.resolve('no')) as unknown as Guard;
    for (const guard of [failing, late]) {
      const { ada, at, boardId } = await guarded(guard);
      let failure: unknown;
      await ada.tasks.create({ ...at, boardId, title: 'a' }).catch((error: unknown) => (failure = error));
      expect(failure).to.be.instanceOf(Error);
      expect((failure as { code?: string }).code).to.equal(undefined);
      expect((await ada.tasks.list(at)).items).to.deep.equal([]);
    }
  });

  it('make the call fail, and leave no rejection unhandled', async () => {
    const { ada, at } = await guarded((() => Promise.reject(new Error('later'))) as never);
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
    try {
      await rejects(ada.boards.create({ ...at, name: 'Never' }), TypeError);
      await setImmediate();
    } finally {
      process.off('unhandledRejection', note);
      for (const other of others) process.on('unhandledRejection', other);
    }
    expect(unhandled).to.deep.equal([]);
  });
});
