// Creates the users and records for scripts/fuzz/fuzz.sh: Eve, who signs in with a JSON Web Token, and a workspace of
// Ada's with so many records that some of the requests name existing ones. `node fuzz-world.js URL FOLDER`, with Ada's
// token in ESPALIER_TOKEN, and the service's settings of its issuer in ESPALIER_JWT_*.
import { writeFileSync } from 'node:fs';
import { SignJWT } from 'jose';
import { createClient } from '../../dist/adapters/client/index.js';

const SETS = 100;
const [url, folder] = process.argv.slice(2);
const token = process.env['ESPALIER_TOKEN'];
const ada = createClient({ url, token });

const { ESPALIER_JWT_ISSUER: iss, ESPALIER_JWT_AUDIENCE: aud, ESPALIER_JWT_SECRET: key } = process.env;
const claims = { iss, aud, sub: 'eve', name: 'Eve', email: 'eve@example.org', email_verified: true };
const evesToken = await new SignJWT(claims)
  .setProtectedHeader({ alg: 'HS256' })
  .setExpirationTime('30d')
  .sign(new TextEncoder().encode(key));
// Her first request makes her a user.
await createClient({ url, token: evesToken }).me.get();
const user = (name, secret) => ({ name, fixedHeaders: [{ name: 'Authorization', value: `Bearer ${secret}` }] });
writeFileSync(`${folder}/users.json`, JSON.stringify({ auth: [user('ada', token), user('eve', evesToken)] }));

const { id: workspaceId } = await ada.workspaces.create({ name: 'Fuzz' });
const at = { workspaceId };
const sets = [];
for (let n = 0; n < SETS; n++) {
  const { id: invitationId } = await ada.invitations.create({ ...at, role: 20 });
  const { id: joined } = await ada.invitations.create({ ...at, role: 20 });
  const mate = await ada.users.create({ name: `Mate ${n}`, email: `mate${n}@example.org` });
  const { token: matesToken } = await ada.tokens.createFor({ userId: mate.id, name: 'fuzz' });
  const { id: memberId } = await createClient({ url, token: matesToken }).invitations.join({ invitationId: joined });
  const { id: boardId } = await ada.boards.create({ ...at, name: `Board ${n}` });
  const { id: statusId } = await ada.statuses.create({ ...at, boardId, name: 'Open' });
  const { id: tagId } = await ada.tags.create({ ...at, boardId, name: 'bug' });
  const task = { ...at, boardId, title: `Task ${n}`, tags: [tagId], assignees: [memberId] };
  const { id: taskId } = await ada.tasks.create(task);
  const { id: commentId } = await ada.comments.create({ ...at, taskId, content: 'Hm.' });
  const { id: pageId } = await ada.pages.create({ ...at, name: `Folder ${n}`, type: 'folder' });
  await ada.access.grant({ ...at, pageId, memberId, access: 300 });
  sets.push({ workspaceId, invitationId, memberId, boardId, statusId, tagId, taskId, commentId, pageId });
}
writeFileSync(`${folder}/town.json`, JSON.stringify(sets));
