import type { Transaction } from '../../core/ports/store.ts';
import type { WriteAccess } from './access.ts';
import { MongodbActivity } from './activity.ts';
import { MongodbAudit } from './audit.ts';
import { MongodbBoards } from './boards.ts';
import { MongodbChanges } from './changes.ts';
import { MongodbComments } from './comments.ts';
import { MongodbIdentities } from './identities.ts';
import { MongodbInvitations } from './invitations.ts';
import { MongodbPurges } from './purges.ts';
import { MongodbReplays } from './replays.ts';
import type { StructureCache } from './structure-cache.ts';
import { MongodbStructures } from './structures.ts';
import { MongodbTasks } from './tasks.ts';
import { MongodbTokens } from './tokens.ts';
import { MongodbUsers } from './users.ts';
import { MongodbWorkspaces } from './workspaces.ts';

/** The repositories over one snapshot. */
export class Repositories implements Transaction {
  readonly users: MongodbUsers;
  readonly tokens: MongodbTokens;
  readonly identities: MongodbIdentities;
  readonly workspaces: MongodbWorkspaces;
  readonly structures: MongodbStructures;
  readonly invitations: MongodbInvitations;
  readonly boards: MongodbBoards;
  readonly tasks: MongodbTasks;
  readonly comments: MongodbComments;
  readonly activity: MongodbActivity;
  readonly purges: MongodbPurges;
  readonly changes: MongodbChanges;
  readonly audit: MongodbAudit;
  readonly replays: MongodbReplays;

  constructor(access: WriteAccess, cache: StructureCache) {
    this.users = new MongodbUsers(access);
    this.tokens = new MongodbTokens(access);
    this.identities = new MongodbIdentities(access);
    this.workspaces = new MongodbWorkspaces(access);
    this.structures = new MongodbStructures(access, cache);
    this.invitations = new MongodbInvitations(access);
    this.boards = new MongodbBoards(access);
    this.tasks = new MongodbTasks(access);
    this.comments = new MongodbComments(access);
    this.activity = new MongodbActivity(access);
    this.purges = new MongodbPurges(access);
    this.changes = new MongodbChanges(access);
    this.audit = new MongodbAudit(access);
    this.replays = new MongodbReplays(access);
  }
}
