// Makes the data of this folder with the build of the commit that the folder is named after. See README.md.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EJSON } from 'bson';
import { MongoClient } from 'mongodb';

const [build, out, mongodbUrl] = process.argv.slice(2);
const load = (path) => import(resolve(build, path));
const { embeddedStore } = await load('adapters/embedded/index.js');
const { mongodbStore } = await load('adapters/mongodb/index.js');
const { newWorld } = await load('test/support/world.js');
const { createEngine } = await load('core/engine.js');
const { sessionOf } = await load('core/session.js');

/** The same records with the same ids and times on any store. @returns what its people were answered at the end */
async function make(store) {
  const world = newWorld(store);
  const { operator } = world;
  const ada = await world.user('Ada');
  const [ben, cleo, dan, eve] = [await world.user('Ben'), await world.user('Cleo'), await world.user('Dan'), await world.user('Eve')];
  await operator.users.update({ userId: ada.userId, administrator: true });
  await ben.me.update({ name: 'Ben 🌱', phone: '+49 30 1234', avatar: 'https://example.org/ben.png' });
  await eve.tokens.create({ name: 'of someone disabled' });
  await operator.users.update({ userId: eve.userId, disabled: true });
  const { token } = await ada.tokens.create({ name: 'laptop' });
  await ben.tokens.create({ name: 'phone', expiresAt: world.time(30 * 24 * 3_600_000) });
  const { id: revoked } = await ben.tokens.create({ name: 'revoked' });
  await ben.tokens.revoke({ tokenId: revoked });
  await world.as({ caller: { kind: 'token', hash: `hash of ${token}` } }).me.get();
  const fay = { kind: 'external', issuer: 'https://issuer.example.org', subject: 'fay', name: 'Fay', verifiedEmail: 'fay@example.org', links: false };
  await world.as({ caller: fay }).me.get();

  const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme', alias: 'acme', description: 'Everything', defaultAccess: 200 });
  const at = { workspaceId };
  const join = async (person, role, pages = []) => {
    const { id } = await ada.invitations.create({ ...at, role, pages });
    return (await person.invitations.join({ invitationId: id })).id;
  };
  const folder = async (name, parentId = null) => (await ada.pages.create({ ...at, name, type: 'folder', parentId })).id;
  const docs = await folder('Docs');
  const [benId, cleoId, danId] = [await join(ben, 30), await join(cleo, 10, [{ pageId: docs, access: 100 }]), await join(dan, 20)];
  await ada.members.update({ ...at, memberId: benId, position: 'Lead' });
  world.pass(60_000);
  const secret = await folder('Secret', docs);
  await ada.access.changeSettings({ ...at, pageId: secret, inherit: false, defaultAccess: 100 });
  await ada.access.grant({ ...at, pageId: secret, memberId: benId, access: 400 });
  await ada.access.grant({ ...at, pageId: secret, memberId: danId, access: 0 });
  const { id: boardId } = await ada.boards.create({ ...at, name: 'Dev', description: 'Where it happens', externalId: 'board-1', parentId: docs });
  const on = { ...at, boardId };
  const { id: todo } = await ada.statuses.create({ ...on, name: 'Todo' });
  const { id: done } = await ada.statuses.create({ ...on, name: 'Done', done: true });
  const { id: bug } = await ada.tags.create({ ...on, name: 'bug', color: 'red' });
  const { id: idea } = await ada.tags.create({ ...on, name: 'Idee', color: '#00ff00' });
  const { id: other } = await ada.boards.create({ ...at, name: 'Ops', parentId: secret });
  await ada.statuses.create({ ...at, boardId: other, name: 'Open' });
  const { items: tasks } = { items: await ada.tasks.createMany({ ...at, tasks: [
    { boardId, title: 'Write', description: 'Größe of it', priority: 300, tags: [bug, idea], assignees: [benId, danId], plannedStartDate: world.day(), plannedEndDate: world.day(3), externalId: 'task-1' },
    { boardId, title: 'write again', statusId: done, complete: true, tags: [bug] },
    { boardId, title: '\u{1F331} plant', plannedEndDate: world.day(-2) },
    { boardId: other, title: 'Hidden', assignees: [benId] },
  ] }) };
  world.pass(60_000);
  const first = { ...at, taskId: tasks[0].id };
  await ben.tasks.update({ ...first, title: 'Write the spec', statusOrderKey: 4096 });
  await ben.tasks.update({ ...at, taskId: tasks[2].id, beforeTaskId: tasks[0].id });
  await ben.comments.create({ ...first, content: 'Näh 🌱', externalId: 'comment-1' });
  const { id: commentId } = await ben.comments.create({ ...first, content: 'Second' });
  await ben.comments.update({ ...first, commentId, content: 'Second, changed' });
  await ada.pages.create({ ...at, name: 'Has a page', type: 'task', taskId: tasks[1].id, parentId: docs });
  const { id: paged } = await ada.pages.create({ ...at, name: 'Made with a page', type: 'task', parentId: boardId });
  await ada.access.grant({ ...at, pageId: paged, memberId: cleoId, access: 300 });
  const deleted = await ada.tasks.create({ ...on, title: 'Deleted' });
  await ada.tasks.delete({ ...at, taskId: deleted.id });
  // The number of tasks is kept from here on.
  const limited = sessionOf(createEngine({ ...world.ports, quotas: { tasks: 1_000 } }), { kind: 'user', userId: ada.userId });
  await limited.tasks.create({ ...on, title: 'Counted', tags: [idea] });

  await ada.invitations.create({ ...at, email: 'gus@example.org', role: 20, pages: [{ pageId: docs, access: 300 }] });
  const { id: withdrawn } = await ben.invitations.create({ ...at, role: 10 });
  await ben.invitations.revoke({ ...at, invitationId: withdrawn });
  const again = await ada.invitations.create({ ...at, role: 20 });
  world.pass(60_000);
  await ada.members.remove({ ...at, memberId: danId });

  const once = { key: 'key-1', digest: 'digest of it' };
  const onceMade = await world.as({ caller: { kind: 'user', userId: ada.userId }, once }).tasks.create({ ...on, title: 'Made once' });

  // A subtree that is removed to the last record, and one that is removed and waits for it, with a board and tasks.
  const removed = async (name) => {
    const top = await folder(name);
    const middle = await folder('Middle', top);
    await folder('Below', middle);
    const { id } = await ada.boards.create({ ...at, name: 'Gone', parentId: middle });
    await ada.statuses.create({ ...at, boardId: id, name: 'Open' });
    const task = await ada.tasks.create({ ...at, boardId: id, title: `On ${name}` });
    await ada.comments.create({ ...at, taskId: task.id, content: 'Gone' });
    await ada.pages.delete({ ...at, pageId: top });
  };
  await removed('Removed');
  await world.purge();
  await removed('Waiting');
  const late = await ben.workspaces.create({ name: 'Late' });
  await ben.boards.create({ workspaceId: late.id, name: 'Gone' });
  await ben.workspaces.delete({ workspaceId: late.id });
  const own = await ben.workspaces.create({ name: "Ben's own" });

  const people = { ada, ben, cleo };
  const answers = {};
  // Reading counts as activity, which others see: the second time nothing changes any more.
  for (const _ of [1, 2]) for (const [name, person] of Object.entries(people)) answers[name] = await everythingSeen(person, at);
  const records = [];
  await operator.exports.workspace({ ...at, sink: (record) => void records.push(record) });
  return {
    now: world.time(),
    ids: Object.fromEntries(Object.entries(people).map(([name, { userId }]) => [name, userId])),
    workspaceId,
    own: own.id,
    token: { hash: `hash of ${token}`, userId: ada.userId },
    external: { ...fay, userId: (await world.as({ caller: fay }).me.get()).id },
    invitation: again.id,
    once: { ...once, boardId, answer: onceMade },
    doctor: await operator.doctor.check(),
    service: (await operator.audit.service({})).items,
    users: (await operator.users.list({})).items,
    changes: (await store.read((tx) => tx.changes.list('ofWorkspace', { workspaceId }, { limit: 1_000 }))).length,
    answers,
    records,
  };
}

/** What somebody reads of a workspace. */
async function everythingSeen(person, at) {
  const [workspaces, members, former, pages, boards, tokens] = [
    await person.workspaces.list(),
    await person.members.list(at),
    await person.members.list({ ...at, former: true }),
    await person.pages.list(at),
    await person.boards.list(at),
    await person.tokens.list(),
  ];
  const { items: tasks } = await person.tasks.list({ ...at, limit: 500 });
  const all = async (items, one) => Promise.all(items.map(one));
  return {
    workspaces,
    members,
    former,
    pages,
    boards: await all(boards, ({ id }) => person.boards.get({ ...at, boardId: id })),
    tokens: tokens.items,
    tasks: await all(tasks, ({ id }) => person.tasks.get({ ...at, taskId: id })),
    byTitle: (await person.tasks.list({ ...at, sort: ['title'] })).items.map(({ id }) => id),
    invitations: await person.invitations.list(at).then(({ items }) => items, ({ code }) => code),
    audit: await person.audit.list({ ...at, limit: 500 }).then(({ items }) => items, ({ code }) => code),
    access: await all(pages, ({ id: pageId }) => person.access.members({ ...at, pageId })),
  };
}

mkdirSync(out, { recursive: true });
const file = embeddedStore({ path: join(out, 'store.db') });
const answers = await make(file);
await file.close();
const dbName = 'espalier-older';
const client = await new MongoClient(mongodbUrl).connect();
const db = client.db(dbName);
await db.dropDatabase();
const mongodb = mongodbStore({ url: mongodbUrl, dbName });
const same = await make(mongodb);
await mongodb.close();
if (JSON.stringify(same) !== JSON.stringify(answers)) console.error('The two stores answer differently.', diff(answers, same));
writeFileSync(join(out, 'answers.json'), `${JSON.stringify(answers)}\n`);
const lines = [];
for (const { name } of (await db.listCollections().toArray()).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
  const documents = await db.collection(name).find().sort({ _id: 1 }).toArray();
  const indexes = (await db.collection(name).indexes()).map(({ v: _, ...index }) => index);
  lines.push(EJSON.stringify({ collection: name, indexes }, { relaxed: false }));
  for (const document of documents) lines.push(EJSON.stringify({ in: name, document }, { relaxed: false }));
}
writeFileSync(join(out, 'mongodb.jsonl'), `${lines.join('\n')}\n`);
await db.dropDatabase();
await client.close();

function diff(a, b, path = '') {
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return [[path, a, b]];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) => diff(a[key], b[key], `${path}/${key}`));
}
