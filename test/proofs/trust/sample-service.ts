import { expect } from 'chai';
import { createEspalier, type Espalier } from '../../../adapters/service/index.ts';
import { apiTokens } from '../../../adapters/identity/index.ts';
import type { TreeSnapshot } from '../../../adapters/store-memory/tree.ts';
import type { Session } from '../../../core/session.ts';
import { boardWithRecords, join } from '../../fixtures/world/workspace.ts';
import { issuer } from './issuer.ts';
import { rewindStore, type RewindStore } from '../../fixtures/store/rewind-store.ts';

/** In the name of everything that stands or falls with the level under trial. */
export const MARK = 'Xyzzy';

/** A service with a workspace to be tried, one of the keeper's own, and one of strangers. */
export interface SampleService {
  readonly espalier: Espalier;
  readonly store: RewindStore;
  readonly start: TreeSnapshot;
  readonly people: Readonly<Record<PersonName, Account>>;
  /** Tokens that sign nobody in. */
  readonly badTokens: Readonly<Record<'malformed' | 'unknown' | 'expired' | 'revoked', string>>;
  /** JSON Web Tokens that sign nobody in. */
  readonly badJwts: Readonly<Record<'expired' | 'elsewhere' | 'forged' | 'unsigned', string>>;
  readonly acme: Acme;
  readonly other: SampleRecords;
  readonly foreign: SampleRecords;
  /** In acme, and denied to the keeper. */
  readonly hidden: Omit<SampleRecords, 'memberId' | 'invitationId'>;
}

/**
 * `ada` owns acme. `actor` is the one whose role and levels vary. `keeper` is Admin there, owns another
 * workspace and administers the service. `root` administers the service and is in no workspace.
 */
export type PersonName = 'ada' | 'actor' | 'keeper' | 'cleo' | 'former' | 'disabled' | 'outsider' | 'root' | 'stranger';

export interface Account {
  readonly id: string;
  readonly token: string;
  readonly tokenId: string;
  /** A JSON Web Token. */
  readonly jwt: string;
  readonly session: Session;
}

/** One of each noun. */
export interface SampleRecords {
  readonly workspaceId: string;
  readonly memberId: string;
  readonly pageId: string;
  readonly boardId: string;
  readonly statusId: string;
  readonly tagId: string;
  readonly taskId: string;
  readonly commentId: string;
  /** A task in the trash. */
  readonly trashId: string;
  readonly itemId: string;
  readonly invitationId: string;
}

type Acme = Awaited<ReturnType<typeof newAcme>>;

const START = Date.UTC(2026, 2, 1, 12);
const HOUR = 3_600_000;

export async function newSampleService(): Promise<SampleService> {
  let now = START;
  const store = rewindStore();
  const clock = { now: () => now };
  const { identity, signed } = issuer(clock);
  const espalier = createEspalier({ store, clock, identity });
  const person = async (name: string, administrator = false): Promise<Account> => {
    const { id } = await espalier.users.create({ name, email: `${name}@example.org`, administrator });
    const { id: tokenId, token } = await espalier.tokens.createFor({ userId: id, name: 'trial' });
    const jwt = await signed({ sub: name, email: `${name}@example.org`, email_verified: true });
    // The first request says who somebody at the issuer is here.
    const caller = await espalier.identity.authenticate(`Bearer ${jwt}`);
    expect((await espalier.engine.me.get({ caller: caller! })).id).to.equal(id);
    return { id, token, tokenId, jwt, session: espalier.as(id) };
  };
  const people = {
    ada: await person('ada'),
    actor: await person('actor'),
    keeper: await person('keeper', true),
    cleo: await person('cleo'),
    former: await person('former'),
    disabled: await person('disabled'),
    outsider: await person('outsider'),
    root: await person('root', true),
    stranger: await person('stranger'),
  };
  const { actor, disabled } = people;
  const expiresAt = new Date(now + HOUR).toISOString();
  const expired = await espalier.tokens.createFor({ userId: actor.id, name: 'short', expiresAt });
  const revoked = await espalier.tokens.createFor({ userId: actor.id, name: 'gone' });
  await actor.session.tokens.revoke({ tokenId: revoked.id });
  const acme = await newAcme(people);
  const hiddenPage = await people.ada.session.pages.create({ ...acme.at, name: 'Vault', type: 'folder' });
  await people.ada.session.access.grant({
    ...acme.at,
    pageId: hiddenPage.id,
    memberId: acme.members.keeper,
    access: 0,
  });
  const hidden = {
    ...acme.at,
    pageId: hiddenPage.id,
    ...(await boardIn(people.ada.session, acme.at.workspaceId, hiddenPage.id)),
  };
  const sample = {
    espalier,
    store,
    people,
    badTokens: {
      malformed: 'esp_nothing',
      unknown: apiTokens().tokenFactory.token().secret,
      expired: expired.token,
      revoked: revoked.token,
    },
    badJwts: {
      expired: await signed({ sub: 'actor', exp: now / 1000 - 60 }),
      elsewhere: await signed({ sub: 'actor', aud: 'https://other.example.org' }),
      forged: await signed({ sub: 'actor' }, 'x'.repeat(32)),
      unsigned: await signed({ sub: 'actor' }, null),
    },
    acme,
    other: await ownWorkspace(people.keeper.session, 'Other'),
    foreign: await ownWorkspace(people.stranger.session, 'Foreign'),
    hidden,
  };
  await espalier.users.update({ userId: disabled.id, disabled: true });
  now += 2 * HOUR;
  // When a token was last used and a member last active is no content, and written once a minute.
  for (const { token, session } of Object.values(people)) {
    const caller = await espalier.identity.authenticate(`Bearer ${token}`);
    await espalier.engine.me.get({ caller: caller! }).catch(() => undefined);
    await session.workspaces.list().catch(() => undefined);
    await session.pages.list(acme.at).catch(() => undefined);
  }
  await people.keeper.session.pages.list({ workspaceId: sample.other.workspaceId });
  return { ...sample, start: store.state() };
}

async function ownWorkspace(session: Session, name: string): Promise<SampleRecords> {
  const { id: workspaceId, memberId } = await session.workspaces.create({ name });
  const page = await session.pages.create({ workspaceId, name: 'Folder', type: 'folder' });
  const invitation = await session.invitations.create({ workspaceId, email: 'nobody@example.org', role: 10 });
  const content = await boardIn(session, workspaceId, null);
  return { workspaceId, memberId, pageId: page.id, invitationId: invitation.id, ...content };
}

/** A board with one column, and one record of each kind on it. */
async function boardIn(session: Session, workspaceId: string, parentId: string | null) {
  const { doneId: _, ...records } = await boardWithRecords(
    session,
    { workspaceId },
    { board: { parentId }, done: false },
  );
  const { id: itemId } = await session.checklists.create({ workspaceId, taskId: records.taskId, text: `${MARK} item` });
  return { ...records, itemId, trashId: await deletedTask(session, workspaceId, records.boardId, 'Gone') };
}

async function deletedTask(session: Session, workspaceId: string, boardId: string, title: string): Promise<string> {
  const { id: taskId } = await session.tasks.create({ workspaceId, boardId, title });
  await session.tasks.delete({ workspaceId, taskId });
  return taskId;
}

async function newAcme(people: Readonly<Record<PersonName, Account>>) {
  const ada = people.ada.session;
  const { id: workspaceId, memberId } = await ada.workspaces.create({ name: 'Acme' });
  const at = { workspaceId };
  const joined = ({ session }: Account, role: 20 | 30) => join(ada, at, session, role);
  const members = {
    ada: memberId,
    actor: await joined(people.actor, 20),
    keeper: await joined(people.keeper, 30),
    cleo: await joined(people.cleo, 20),
    former: await joined(people.former, 20),
    disabled: await joined(people.disabled, 20),
  };
  await people.former.session.members.remove({ ...at, memberId: members.former });
  const folder = async (name: string, parentId: string | null = null, by: Session = ada) =>
    (await by.pages.create({ ...at, name, type: 'folder', parentId })).id;
  let cursor = '';
  await ada.workspaces.get(at, { onCursor: (now) => void (cursor = now) });
  const above = await folder(`${MARK} above`);
  const far = await boardIn(ada, workspaceId, null);
  const near = await boardIn(ada, workspaceId, above);
  await ada.boards.update({ ...at, boardId: near.boardId, name: `${MARK} board` });
  await ada.tasks.update({ ...at, taskId: near.taskId, title: `${MARK} card`, assignees: [memberId] });
  const onBoard = { ...at, boardId: near.boardId };
  /** A task of the other board with a page: first the page, so that who reads that board has never seen the task. */
  const withPage = async (title: string) => {
    const { id: pageId } = await ada.pages.create({ ...at, name: title, type: 'task', parentId: above });
    return (await ada.tasks.create({ ...at, boardId: far.boardId, title, pageId })).id;
  };
  const { id: emptyStatusId } = await ada.statuses.create({ ...onBoard, name: `${MARK} empty` });
  const { id: nextTaskId } = await ada.tasks.create({ ...onBoard, title: `${MARK} next` });
  const pagedTaskId = await withPage(`${MARK} paged`);
  const deepTaskId = await withPage(`${MARK} deep`);
  await folder(`${MARK} nested`, deepTaskId);
  const guardedTaskId = await withPage(`${MARK} guarded`);
  const guardId = await folder(`${MARK} guard`, guardedTaskId);
  const standalone = await ada.pages.create({ ...at, name: `${MARK} alone`, type: 'task', parentId: above });
  const folderId = await folder(`${MARK} folder`, above);
  const ownFolderId = await folder(`${MARK} own`, above, people.actor.session);
  const goneFolderId = await folder(`${MARK} gone`, folderId);
  await ada.pages.delete({ ...at, pageId: goneFolderId });
  const ownGoneFolderId = await folder(`${MARK} own gone`, folderId, people.actor.session);
  await ada.pages.delete({ ...at, pageId: ownGoneFolderId });
  const mine = await folder('Mine');
  await ada.access.grant({ ...at, pageId: mine, memberId: members.actor, access: 400 });
  await ada.access.grant({ ...at, pageId: folderId, memberId: members.cleo, access: 200 });
  const invite = async (role: 10 | 40, email?: string) =>
    (await ada.invitations.create({ ...at, role, ...(email !== undefined && { email }) })).id;
  const card = { ...at, fromTaskId: near.taskId };
  await ada.tasks.link({ ...card, type: 'blocks', taskId: nextTaskId });
  await ada.tasks.link({ ...card, type: 'parent', taskId: far.taskId });
  return {
    at,
    /** Behind which all of it was made. */
    cursor,
    members,
    above,
    elsewhere: await folder('Elsewhere'),
    mine,
    /** Where levels are set. */
    here: [near.boardId, pagedTaskId, deepTaskId, guardId, standalone.id, folderId, ownFolderId],
    near: {
      ...near,
      emptyStatusId,
      nextTaskId,
      pagedTaskId,
      deepTaskId,
      /** Its page has the level of `above`, and one with the level of `here` under it. */
      guardedTaskId,
      standalonePageId: standalone.id,
      folderId,
      ownFolderId,
      trashId: await deletedTask(ada, workspaceId, near.boardId, `${MARK} gone`),
      goneFolderId,
      ownGoneFolderId,
    },
    far,
    ownCommentId: (
      await people.actor.session.comments.create({ ...at, taskId: near.taskId, content: `${MARK} remark` })
    ).id,
    nextItemId: (await ada.checklists.create({ ...at, taskId: near.taskId, text: `${MARK} next item` })).id,
    siblingCommentId: (await ada.comments.create({ ...at, taskId: nextTaskId, content: 'Next.' })).id,
    openInvitationId: await invite(10),
    addressedInvitationId: await invite(10, 'somebody@example.org'),
    ownerInvitationId: await invite(40, 'somebody@example.org'),
  };
}
