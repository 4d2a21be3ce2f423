export { LEVEL_NAMES, LEVELS, type Level } from './access/level.ts';
export { ROLE_NAMES, ROLES, type Role } from './access/role.ts';
export type { Clock } from './clock.ts';
export type { Call, Caller, Context, ExternalCaller, Ids, Mint, Ports } from './context.ts';
export { createEngine, useCases, type Engine, type UseCases } from './engine.ts';
export type { Identity } from './identity.ts';
export { EspalierError, type ErrorCode, type FieldError } from './errors.ts';
export { QUOTA_NAMES, type QuotaName, type Quotas } from './quota/quotas.ts';
export { purgeStep } from './purge-step.ts';
export { sessionOf, type CallOptions, type Session } from './session.ts';
export type { Slice, Versioned } from './record.ts';
export type * from './store.ts';
export type { Structure, StructureChange } from './structure/structure.ts';
export { buildStructure, changeStructure } from './structure/build.ts';
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
} from './task/query.ts';
export type { Board, Status, Tag } from './board/board.ts';
export type { BoardSummary, BoardView, StatusView } from './board/view.ts';
export type { Change } from './change.ts';
export type { Comment } from './comment/comment.ts';
export type { CommentView } from './comment/view.ts';
export type { ImportBoard, ImportedComment, ImportedTask, ImportReport } from './import/board.ts';
export type { Invitation } from './invitation/invitation.ts';
export type { InvitationView } from './invitation/view.ts';
export type { Member } from './member/member.ts';
export type { MemberView } from './member/members.ts';
export type { AccessSettings, Page, PageType } from './page/page.ts';
export type { PageView } from './page/view.ts';
export type { AccessEntry } from './access/everyone.ts';
export type { AccessExplanation, AccessStep } from './access/explain.ts';
export type { AccessPreview } from './access/preview.ts';
export type { AccessSettingsView } from './access/settings.ts';
export type { Purge } from './purge.ts';
export type { Task } from './task/task.ts';
export type { TaskSummary, TaskView } from './task/view.ts';
export type { Token } from './token/token.ts';
export type { NewToken, TokenView } from './token/tokens.ts';
export type { ExternalIdentity } from './user/external-identity.ts';
export type { User } from './user/user.ts';
export type { Workspace } from './workspace/workspace.ts';
export type { WorkspaceView } from './workspace/workspaces.ts';
export type { CheckReport } from './doctor/check.ts';
export type { Finding } from './doctor/finding.ts';
export type { ExportWorkspace } from './transfer/export.ts';
export type { ImportedWorkspace, ImportWorkspace } from './transfer/import.ts';
export type { TransferCount, TransferKind, TransferRecord } from './transfer/record.ts';
export type { AuditAction, AuditRecord } from './audit/record.ts';
export type { ListAudit } from './audit/list.ts';
export type { Replay } from './replay.ts';
