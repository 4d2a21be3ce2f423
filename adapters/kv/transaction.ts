import type { Transaction } from '../../core/store.ts';
import { KvActivity } from './activity.ts';
import { KvAudit } from './audit.ts';
import { KvBoards } from './boards.ts';
import { KvChanges } from './changes.ts';
import { KvComments } from './comments.ts';
import { KvIdentities } from './identities.ts';
import { KvInvitations } from './invitations.ts';
import type { Kv } from './kv.ts';
import { KvPurges } from './purges.ts';
import { KvReplays } from './replays.ts';
import { Spaces } from './spaces.ts';
import type { StructureCache } from './structure-cache.ts';
import { KvStructures } from './structures.ts';
import { KvTasks } from './tasks.ts';
import { KvTokens } from './tokens.ts';
import { KvUsers } from './users.ts';
import { KvWorkspaces } from './workspaces.ts';

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
  readonly purges: KvPurges;
  readonly changes: KvChanges;
  readonly audit: KvAudit;
  readonly replays: KvReplays;

  constructor(kv: Kv, cache: StructureCache) {
    const spaces = new Spaces(kv);
    this.users = new KvUsers(kv);
    this.tokens = new KvTokens(kv);
    this.identities = new KvIdentities(kv);
    this.workspaces = new KvWorkspaces(kv, spaces);
    this.invitations = new KvInvitations(kv, spaces);
    this.structures = new KvStructures(kv, spaces, this.invitations, cache);
    this.boards = new KvBoards(kv, spaces);
    this.tasks = new KvTasks(kv, spaces);
    this.comments = new KvComments(kv, spaces);
    this.activity = new KvActivity(kv);
    this.purges = new KvPurges(kv);
    this.changes = new KvChanges(kv, spaces);
    this.audit = new KvAudit(kv, spaces);
    this.replays = new KvReplays(kv);
  }
}
