import { expect } from 'chai';
import { WorkspaceLookup } from '../../../../cli/refs/workspace-lookup.ts';
import { createFrom } from '../../../../cli/task/lines/create.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { SafeScreen } from '../../../../cli/io/safe-screen.ts';

describe('A file of tasks that is checked only', () => {
  it('is left when it is asked to stop, whether names are looked up or the lines are tried', async () => {
    const { owner, workspaceId } = await newTeam();
    const { id: boardId } = await owner.boards.create({ workspaceId, name: 'Dev' });
    // Of the first line while names are looked up, of the last before the lines are tried.
    for (const asked of [1, 1_000]) {
      const stop = new AbortController();
      const lines = Array.from({ length: 1_000 }, (_, i) => ({
        line: i + 1,
        get record() {
          // Like a signal, which is heard in the next turn of the event loop.
          if (i + 1 === asked) setImmediate(() => stop.abort());
          return { title: `Task ${i + 1}`, boardId };
        },
      }));
      const stderr = new SafeScreen({ write: () => {} });
      const options = { board: undefined, atomic: false, dryRun: true };
      const workspace = new WorkspaceLookup(owner, workspaceId);
      const { stoppedAfter, reason } = await createFrom(workspace, lines, options, { stop: stop.signal, stderr });
      expect(stoppedAfter).to.equal(0);
      expect(reason).to.have.property('code', 'interrupted');
    }
  });
});
