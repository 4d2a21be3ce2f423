/** The first character of keys. Stored keys contain these: they may be added to, never changed. */
export const PREFIX = {
  /** The schema version, and counters of the whole store. */
  about: '!',
  workspaceState: '#',
  // Counters that many writes raise have adjacent keys, so that a commit writes few pages of the file for them.
  /** The offset of the last change in the log of the workspace. */
  lastLogged: '$',
  /** The last running number of a task. */
  nums: '%',
  taskTotal: '&',
  /** Tasks by board and status. */
  taskCount: "'",
  user: 'U',
  userByEmail: 'E',
  administrator: 'A',
  token: 'T',
  tokenByHash: 'H',
  tokenOfUser: 'O',
  identity: 'i',
  identityOfUser: 'o',
  workspace: 'W',
  workspaceByAlias: 'L',
  membership: 'S',
  member: 'M',
  page: 'P',
  pageOfParent: 'K',
  invitation: 'I',
  invitationOfWorkspace: 'J',
  pendingInvitation: 'N',
  pendingInvitationByExpiry: 'e',
  board: 'B',
  boardByExternalId: 'X',
  /** By running number. */
  task: 't',
  taskById: 'n',
  taskByColumn: 'c',
  taskOfBoard: 'b',
  taskOfAssignee: 'a',
  taskOfTag: 'g',
  taskByUpdate: 'u',
  taskByExternalId: 'x',
  taskOfMetadata: 'm',
  taskBlocked: 'k',
  comment: 'C',
  commentById: 'D',
  commentByExternalId: 'Y',
  activity: 'Z',
  /** Only in stores of schema versions below 3, see store-embedded/schema.ts. */
  purge: 'Q',
  job: 'j',
  /** Changes outside of workspaces, and changes by releases without a change log. */
  change: 'R',
  /** By offset in the log of the workspace. */
  loggedChange: 'l',
  audit: 'V',
  /** The second history entry of a change: the entry of a board for a change of its page. By offset. */
  boardEntry: 'h',
  /** The end of the history of a record, except for most tasks: see store-kv/history/ends.ts. */
  historyEnd: 'd',
  idempotencyRecord: 'y',
  idempotencyRecordByExpiry: 'z',
} as const;
