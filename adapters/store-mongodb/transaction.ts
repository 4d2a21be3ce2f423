import type { Structure } from '../../core/model/structure.ts';
import type { Transaction } from '../../core/ports/store.ts';
import type { VersionedCache } from './cache/versioned-cache.ts';
import type { DocumentWriter } from './query/document-writer.ts';
import { MongodbBoards, MongodbComments, MongodbInvitations, MongodbWorkspaces } from './records/workspace-records.ts';
import { MongodbJobs } from './records/jobs.ts';
import { MongodbActivity, MongodbAudit, MongodbChanges, MongodbIdempotencyRecords } from './records/logs.ts';
import { MongodbIdentities, MongodbTokens, MongodbUsers } from './records/users.ts';
import { MongodbStructures } from './structure/structures.ts';
import { MongodbTasks } from './task/tasks.ts';
import type { SettingsCache } from './cache/settings-cache.ts';
import { MongodbSettings } from './records/settings.ts';

/** The repositories over one snapshot. */
export class MongodbTransaction implements Transaction {
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
  readonly jobs: MongodbJobs;
  readonly changes: MongodbChanges;
  readonly audit: MongodbAudit;
  readonly replays: MongodbIdempotencyRecords;
  readonly settings: MongodbSettings;

  constructor(documents: DocumentWriter, cache: VersionedCache<Structure>, settings: SettingsCache) {
    this.users = new MongodbUsers(documents);
    this.tokens = new MongodbTokens(documents);
    this.identities = new MongodbIdentities(documents);
    this.workspaces = new MongodbWorkspaces(documents);
    this.structures = new MongodbStructures(documents, cache);
    this.invitations = new MongodbInvitations(documents);
    this.boards = new MongodbBoards(documents);
    this.tasks = new MongodbTasks(documents);
    this.comments = new MongodbComments(documents);
    this.activity = new MongodbActivity(documents);
    this.jobs = new MongodbJobs(documents);
    this.changes = new MongodbChanges(documents);
    this.audit = new MongodbAudit(documents);
    this.replays = new MongodbIdempotencyRecords(documents);
    this.settings = new MongodbSettings(documents, settings);
  }
}
