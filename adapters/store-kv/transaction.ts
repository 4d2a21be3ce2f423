import type { Transaction } from '../../core/ports/store.ts';
import { KvActivity } from './records/activity.ts';
import { KvAudit } from './records/audit.ts';
import { KvBoards } from './records/boards.ts';
import { KvChanges } from './records/changes.ts';
import { KvComments } from './records/comments.ts';
import { KvIdentities } from './records/identities.ts';
import { KvInvitations } from './records/invitations.ts';
import { KvJobs } from './records/jobs.ts';
import type { Kv } from './engine/kv.ts';
import type { LoopShare } from './engine/yield.ts';
import { KvReplays } from './records/replays.ts';
import { WorkspaceKeys } from './structure/workspace-keys.ts';
import type { StructureCache } from './structure/structure-cache.ts';
import { KvStructures } from './structure/structures.ts';
import { KvSettings } from './records/settings.ts';
import { KvTasks } from './task/tasks.ts';
import { KvTokens } from './records/tokens.ts';
import { KvUsers } from './records/users.ts';
import { KvWorkspaces } from './records/workspaces.ts';

/** The repositories over one snapshot. */
export class KvTransaction implements Transaction {
  readonly users: KvUsers;
  readonly tokens: KvTokens;
  readonly identities: KvIdentities;
  readonly workspaces: KvWorkspaces;
  readonly structures: KvStructures;
  readonly invitations: KvInvitations;
  readonly boards: KvBoards;
  readonly tasks: KvTasks;
  readonly comments: KvComments;
  readonly activity: KvActivity;
  readonly jobs: KvJobs;
  readonly changes: KvChanges;
  readonly audit: KvAudit;
  readonly replays: KvReplays;
  readonly settings: KvSettings;

  /** @param share of the event loop, for long work. Default: that of this process */
  constructor(kv: Kv, cache: StructureCache, share?: LoopShare) {
    const spaces = new WorkspaceKeys(kv);
    this.users = new KvUsers(kv);
    this.tokens = new KvTokens(kv);
    this.identities = new KvIdentities(kv);
    this.workspaces = new KvWorkspaces(kv, spaces);
    this.invitations = new KvInvitations(kv, spaces);
    this.structures = new KvStructures(kv, spaces, this.invitations, cache);
    this.boards = new KvBoards(kv, spaces);
    this.tasks = new KvTasks(kv, spaces, share);
    this.comments = new KvComments(kv, spaces);
    this.activity = new KvActivity(kv);
    this.jobs = new KvJobs(kv);
    this.changes = new KvChanges(kv, spaces);
    this.audit = new KvAudit(kv, spaces);
    this.replays = new KvReplays(kv);
    this.settings = new KvSettings(kv);
  }
}
