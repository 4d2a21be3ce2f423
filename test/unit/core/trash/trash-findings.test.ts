import { expect } from 'chai';
import type { Finding, Transaction } from '../../../../core/index.ts';
import type { TrashPurge } from '../../../../core/model/job.ts';
import type { TrashItem } from '../../../../core/model/trash-item.ts';
import { newTrashTeam } from '../../../fixtures/suite/trash-team.ts';
import { expectSound } from '../../../fixtures/world/team.ts';

interface Fault {
  readonly rule: Finding['rule'];
  readonly plant: (tx: Transaction, item: TrashItem, at: { job: TrashPurge; pageId: string }) => Promise<unknown>;
}

/** Each breaks one invariant of a deleted task behind the engine's back. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'what nothing removes': { rule: 'content', plant: (tx, _, { job }) => tx.jobs.remove(job) },
  'what is removed too late': {
    rule: 'content',
    plant: (tx, item, { job }) => tx.jobs.replace({ ...job, notBefore: item.purgeAt.replace('2026', '2027') }),
  },
  'a wrong count of what is in it': {
    rule: 'content',
    plant: (tx, _, { job }) => tx.jobs.replace({ ...job, totals: { ...job.totals, tasks: 7 } }),
  },
  'what is on its board too': { rule: 'content', plant: (tx, { task }) => tx.tasks.insert(task!) },
  'what is in the tree too': {
    rule: 'content',
    plant: (tx, item, { pageId }) => tx.trash.insert({ ...item, id: pageId, task: null, isTask: false }),
  },
  'tasks whose board is not there': {
    rule: 'reference',
    plant: (tx, item) => tx.trash.replace({ ...item, task: { ...item.task!, boardId: item.id } }),
  },
  'a wrong count of comments': {
    rule: 'comment',
    plant: (tx, item) => tx.trash.replace({ ...item, task: { ...item.task!, commentCount: 7 } }),
  },
};

describe('what doctor finds in the trash', () => {
  it('finds pages whose task is not there, at the top or below', async () => {
    const team = await newTrashTeam();
    const { owner, at, world } = team;
    const [folder, board] = [await team.page('Folder'), await team.board('Board')];
    const [top, below] = [await team.task(board.id, 'top'), await team.task(board.id, 'below')];
    await owner.pages.create({ ...at, name: 'top', type: 'task', taskId: top, parentId: null });
    await owner.pages.create({ ...at, name: 'below', type: 'task', taskId: below, parentId: folder });
    for (const pageId of [folder, top]) await owner.pages.delete({ ...at, pageId });
    await expectSound(team);
    await world.store.write(async (tx) => {
      const item = (await tx.trash.get(at.workspaceId, top))!;
      if (item.task !== null) await tx.trash.replace({ ...item, task: null });
      for (const id of [top, below]) {
        const task = await tx.tasks.get(at.workspaceId, id);
        if (task !== null) await tx.tasks.remove(task);
      }
    });
    const { findings } = await world.operator.doctor.check();
    const without = findings.filter(({ rule, detail }) => rule === 'reference' && detail.includes('without its task'));
    expect(without.map(({ id }) => id)).to.have.members([top, below]);
  });

  for (const [what, { rule, plant }] of Object.entries(FAULTS)) {
    it(`finds ${what}`, async () => {
      const team = await newTrashTeam();
      const { owner, at, world } = team;
      const board = await team.board('Board');
      const taskId = await team.task(board.id, 'task');
      await owner.comments.create({ ...at, taskId, content: 'c' });
      await owner.tasks.delete({ ...at, taskId });
      await expectSound(team);
      await world.store.write(async (tx) => {
        const job = (await tx.jobs.get(at.workspaceId, at.workspaceId)) as TrashPurge;
        await plant(tx, (await tx.trash.get(at.workspaceId, taskId))!, { job, pageId: board.id });
      });
      const { findings } = await world.operator.doctor.check();
      expect(findings.map((finding) => finding.rule)).to.include(rule);
    });
  }
});
