export { LEVEL_NAMES, LEVELS, type Level } from './model/level.ts';
export { ROLE_NAMES, ROLES, type Role } from './model/role.ts';
export type { Clock } from './ports/clock.ts';
export type { Call, Caller, Context, ExternalCaller, Ids, TokenFactory, Ports } from './ports/context.ts';
export { createEngine, type Engine } from './engine.ts';
export { useCases, type UseCases } from './use-cases.ts';
export type { Identity } from './ports/identity.ts';
export { EspalierError, type ErrorCode, type FieldError } from './kernel/errors.ts';
export { QUOTA_NAMES, type QuotaName, type Quotas } from './model/quotas.ts';
export type { JobFailure } from './jobs/failure.ts';
export { JobRunner } from './jobs/runner.ts';
export { sessionOf, type CallOptions, type Session } from './session.ts';
export type { Slice, Versioned } from './kernel/record.ts';
export type * from './ports/store.ts';
export type * from './ports/collection.ts';
export { COLLECTION_NAMES, COLLECTIONS, type CollectionName, type CollectionSpec } from './model/collections.ts';
export type { Structure, StructureChange } from './model/structure.ts';
export { buildStructure, changeStructure, structureSteps } from './tree/build.ts';
export {
  asSeen,
  compareSortValues,
  inScope,
  matches,
  sortValues,
  type SeenTask,
  type SortKey,
  type SortValue,
  type TaskFilter,
  type TaskQuery,
  type TaskScope,
} from './model/task-query.ts';
export type { Board, Status, Tag } from './model/board.ts';
export type { BoardSummary, BoardView, StatusView } from './board/view.ts';
export type { Change } from './model/change.ts';
export type { Comment } from './model/comment.ts';
export type { CommentView } from './comment/view.ts';
export type { ImportBoard, ImportedComment, ImportedTask, ImportReport } from './import/board.ts';
export type { Invitation } from './model/invitation.ts';
export type { InvitationView } from './invitation/view.ts';
export type { Member } from './model/member.ts';
export type { MemberView } from './member/members.ts';
export type { AccessSettings, Page, PageType } from './model/page.ts';
export type { PageView } from './page/view.ts';
export type { AccessEntry } from './access/members-access.ts';
export type { AccessExplanation, AccessStep } from './access/explain.ts';
export type { AccessPreview } from './access/preview.ts';
export type { AccessSettingsView } from './access/settings.ts';
export type { Job, JobKind, Purge } from './model/job.ts';
export type { Task } from './model/task.ts';
export type { TaskSummary, TaskView } from './task/view.ts';
export type { Token } from './model/token.ts';
export type { NewToken, TokenView } from './token/tokens.ts';
export type { ExternalIdentity } from './model/external-identity.ts';
export type { User } from './model/user.ts';
export type { Workspace } from './model/workspace.ts';
export type { WorkspaceView } from './workspace/workspaces.ts';
export type { CheckReport } from './doctor/check.ts';
export type { Finding } from './doctor/finding.ts';
export type { ExportWorkspace } from './transfer/export.ts';
export type { ImportedWorkspace, ImportWorkspace } from './transfer/import.ts';
export type { TransferCount, TransferKind, TransferRecord } from './model/transfer-record.ts';
export type { AuditAction, AuditRecord } from './model/audit-record.ts';
export type { ListAudit } from './audit/list.ts';
export type { IdempotencyRecord } from './model/idempotency-record.ts';
