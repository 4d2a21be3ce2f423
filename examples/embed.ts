// The engine inside your own program: no service, no network. Run it: node dist/examples/embed.js
import { createEspalier, EspalierError } from 'espalier';
import { memoryStore } from 'espalier/memory';

const espalier = createEspalier({ store: memoryStore() });

// Users are the operator's business; everything else happens on behalf of one of them.
const ada = espalier.as(await espalier.users.create({ name: 'Ada', email: 'ada@example.org' }));
const ben = espalier.as(await espalier.users.create({ name: 'Ben', email: 'ben@example.org' }));

const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
const invitation = await ada.invitations.create({ workspaceId, email: 'ben@example.org' });
const { id: benHere } = await ben.invitations.join({ invitationId: invitation.id });

// A page tree with a board in it. A board has the id of its page.
const engineering = await ada.pages.create({ workspaceId, name: 'Engineering', type: 'folder' });
const board = await ada.boards.create({ workspaceId, name: 'Dev', parentId: engineering.id });
const todo = await ada.statuses.create({ workspaceId, boardId: board.id, name: 'Todo' });
const done = await ada.statuses.create({ workspaceId, boardId: board.id, name: 'Done', done: true });

const task = await ben.tasks.create({
  workspaceId,
  boardId: board.id,
  statusId: todo.id,
  title: 'Write the spec',
  assignees: [benHere],
});
await ben.comments.create({ workspaceId, taskId: task.id, content: 'On it.' });
const moved = await ben.tasks.update({ workspaceId, taskId: task.id, statusId: done.id });
console.log(`#${moved.num} ${moved.title}: ${moved.complete ? 'complete' : 'open'}`);

// From now on Ben may only look at what is under Engineering, and is told so.
await ada.access.grant({ workspaceId, pageId: engineering.id, memberId: benHere, access: 100 });
try {
  await ben.tasks.update({ workspaceId, taskId: task.id, title: 'Rewrite the spec' });
} catch (error) {
  if (!(error instanceof EspalierError)) throw error;
  console.log(`Ben: ${error.code}`);
}
const { steps } = await ada.access.explain({ workspaceId, pageId: board.id, memberId: benHere });
console.log(steps.map((step) => `${step.rule} ${step.access ?? ''}`.trim()).join(' -> '));

await espalier.close();
