import { expect } from 'chai';
import type { Session } from '../../../../core/index.ts';
import type { Store } from '../../../../core/ports/store.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { DAY, newWorld } from '../../../fixtures/world/world.ts';
import { anotherProcess } from './follow-late.ts';
import { seen } from '../member-sight.ts';
import { Replica } from './replica.ts';

interface Scene extends Team {
  /** The reader is shown it in the answer after which something comes and goes. */
  readonly projectId: string;
  /** Below it; nobody but the owner sees it. */
  readonly secretId: string;
  /** At the top, and hidden as well. */
  readonly elsewhereId: string;
  /** On the board below the secret page. */
  readonly taskId: string;
  readonly boardId: string;
  /** In the trash, from below the project. */
  readonly deletedId: string;
}

/** How a page comes into sight, and goes again. @returns what takes it away */
type Passing = (scene: Scene) => Promise<() => Promise<unknown>>;

const PASSING: Readonly<Record<string, Passing>> = {
  'made and deleted': async ({ owner, at, page, projectId }) => {
    const pageId = await page('New', projectId);
    return () => owner.pages.delete({ ...at, pageId });
  },
  'shown and hidden': async ({ owner, at, member, grant, secretId: pageId }) => {
    await grant(pageId, member, 100);
    return () => owner.access.revoke({ ...at, pageId, memberId: member.memberId });
  },
  'shown and hidden by its settings': async ({ owner, at, secretId: pageId }) => {
    await owner.access.changeSettings({ ...at, pageId, inherit: true });
    return () => owner.access.changeSettings({ ...at, pageId, inherit: false, defaultAccess: 0 });
  },
  'shown and deleted': async ({ owner, at, member, grant, secretId: pageId }) => {
    await grant(pageId, member, 100);
    return () => owner.pages.delete({ ...at, pageId });
  },
  'moved in and out': async ({ owner, at, projectId, elsewhereId: pageId }) => {
    await owner.pages.update({ ...at, pageId, parentId: projectId });
    return () => owner.pages.update({ ...at, pageId, parentId: null });
  },
  'made and deleted with the board of its task': async ({ owner, at, projectId, taskId, boardId }) => {
    await owner.pages.create({ ...at, name: 'Task', type: 'task', taskId, parentId: projectId });
    return () => owner.boards.delete({ ...at, boardId });
  },
  'restored and hidden': async ({ owner, at, deletedId }) => {
    await owner.trash.restore({ ...at, trashId: deletedId });
    return () => owner.access.changeSettings({ ...at, pageId: deletedId, inherit: false, defaultAccess: 0 });
  },
  'seen with a higher role': async ({ owner, at, member: { memberId } }) => {
    await owner.members.update({ ...at, memberId, role: 40 });
    return () => owner.members.update({ ...at, memberId, role: 20 });
  },
  'seen while the workspace was open to all': async ({ owner, at }) => {
    await owner.workspaces.update({ ...at, defaultAccess: 100 });
    return () => owner.workspaces.update({ ...at, defaultAccess: 0 });
  },
};

/**
 * A page comes into sight and goes again between two answers of a process, by another process; the reader reads it there
 * in between, as an event of the first answer tells them to.
 *
 * @param open an empty store, and a way to open it once more
 */
export function tellsOfPassingPages(open: () => Promise<readonly [Store, () => Promise<Store>]>): void {
  for (const [how, come] of Object.entries(PASSING)) {
    it(`leaves no page that was ${how} by another process`, async () => {
      const [store, again] = await open();
      const scene = await sceneIn(store);
      const { world, at, member, grant, projectId } = scene;
      const peer = await again();
      const told = anotherProcess(peer)(member.userId, world.ports);
      const replica = await Replica.read(told, at.workspaceId);
      await grant(projectId, member, 100);
      let go = () => Promise.resolve<unknown>(null);
      // A restarted process, which says `scope`, has them read every page.
      const restarted = anotherProcess(peer)(member.userId, world.ports);
      const isEverywhere = how.startsWith('seen');
      const asked = isEverywhere ? restarted : told;
      const { events } = await replica.follow(
        readingElsewhere(member, asked, async () => (go = await come(scene))),
        100,
        false,
        1,
      );
      expect(events.map(({ type }) => type)).to.deep.equal([isEverywhere ? 'scope' : 'page.show']);
      await go();
      await replica.follow(readingElsewhere(member, asked), 100, false);
      expect(replica.shown()).to.deep.equal(await seen(member, at.workspaceId));
      await peer.close();
      await store.close();
    });
  }
}

async function sceneIn(store: Store): Promise<Scene> {
  const team = await newTeam(newWorld(store, 0, undefined, DAY), 0);
  const { owner, at, page, board, task } = team;
  const projectId = await page('Project');
  const secretId = await page('Secret', projectId);
  const { id: boardId } = await board('Board', secretId);
  const taskId = await task(boardId, 'Task');
  await owner.access.changeSettings({ ...at, pageId: secretId, inherit: false, defaultAccess: 0 });
  const deletedId = await page('Deleted', projectId);
  await owner.pages.delete({ ...at, pageId: deletedId });
  return { ...team, projectId, secretId, elsewhereId: await page('Elsewhere'), taskId, boardId, deletedId };
}

/** Asks one process for changes, and reads records in another. @param meanwhile after each answer */
function readingElsewhere(reader: Session, told: Session, meanwhile?: () => Promise<unknown>): Session {
  const list: Session['changes']['list'] = async (...input) => {
    const answer = await told.changes.list(...input);
    await meanwhile?.();
    return answer;
  };
  return { ...reader, changes: { ...reader.changes, list } };
}
