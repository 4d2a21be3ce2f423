export { Level, LEVEL_NAMES, LEVELS } from './model/access/level.ts';
export { Role, ROLE_NAMES, ROLES } from './model/access/role.ts';
export type { Cancellation } from './ports/cancellation.ts';
export type { Clock } from './ports/clock.ts';
export type { Timers } from './ports/timers.ts';
export type { Call, Caller, Context, ExternalCaller, Ids, TokenFactory, Ports } from './ports/context.ts';
export { createEngine, type Engine } from './engine.ts';
export { useCases, type UseCases } from './use-cases.ts';
export type { Identity } from './ports/identity.ts';
export { EspalierError, type ErrorCode, type FieldError } from './kernel/errors.ts';
export type { JobFailure } from './jobs/failure.ts';
export type { KeepChanges } from './model/log/kept-changes.ts';
export { QUOTA_NAMES, type QuotaName, type Quotas, type QuotaSettings } from './model/service/quotas.ts';
export { JobRunner } from './jobs/runner.ts';
export type { Guard, GuardCaller, GuardedRecord } from './write/guards.ts';
export {
  METADATA,
  type HasMetadata,
  type Metadata,
  type MetadataChanges,
  type MetadataValue,
  type WithMetadata,
  type WritesMetadata,
} from './model/metadata.ts';
export { sessionOf, type CallOptions, type Session, type WatchInput } from './session.ts';
export type { Expanding, ExpectedVersion, Paging, ReadVersion, Slice, Versioned } from './kernel/record.ts';
export type * from './ports/store.ts';
export type * from './ports/structures.ts';
export type * from './ports/tasks.ts';
export type * from './ports/collection.ts';
export { COLLECTION_NAMES, COLLECTIONS, type CollectionName, type CollectionSpec } from './model/collections.ts';
export type { Structure, StructureChange } from './model/workspace/structure.ts';
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
} from './model/content/task-query.ts';
export type { Board, Status, Tag } from './model/content/board.ts';
export type { BoardSummary, BoardView, StatusView } from './board/view.ts';
export type { Change, LoggedChange, NewChange, NewEntry } from './model/log/change.ts';
export type { ChangeEvent, EventKind, EventType, EventVerb } from './model/log/change-event.ts';
export type { ChangeInclusion, ListChanges } from './changes/list.ts';
export type { ChangeSlice } from './changes/slice.ts';
export type { FollowOptions } from './changes/follow.ts';
export type { ChangeStream, WatchChanges } from './changes/watch.ts';
export type { ChangeLog, ChangeLogReads, LogHead } from './ports/change-log.ts';
export type { ChecklistItem } from './model/content/checklist-item.ts';
export type { ChecklistItemView } from './checklist/view.ts';
export type { Comment } from './model/content/comment.ts';
export type { CommentView } from './comment/view.ts';
export type { ImportBoard, ImportedComment, ImportedTask, ImportReport } from './import/imported-board.ts';
export type { Invitation } from './model/workspace/invitation.ts';
export type { InvitationView } from './invitation/view.ts';
export type { Member } from './model/workspace/member.ts';
export type { MemberView } from './member/members.ts';
export type { AccessSettings, Page, PageType } from './model/workspace/page.ts';
export type { PageView } from './page/view.ts';
export type { AccessEntry } from './access/members-access.ts';
export type { AccessExplanation, AccessStep } from './access/explain.ts';
export type { AccessPreview } from './access/preview.ts';
export type { AccessFinding, AuditAccess, AuditedAccess } from './access/audit.ts';
export type { AccessSource } from './access/source.ts';
export type { AccessSettingsView } from './access/settings.ts';
export type { Job, JobKind, Purge } from './model/job.ts';
export { Priority, type Task } from './model/content/task.ts';
export type { TaskSummary, TaskView } from './task/view.ts';
export type { Token } from './model/user/token.ts';
export type { NewToken, TokenView } from './token/tokens.ts';
export type { ExternalIdentity } from './model/user/external-identity.ts';
export type { User } from './model/user/user.ts';
export type { Workspace } from './model/workspace/workspace.ts';
export type { WorkspaceView } from './workspace/workspaces.ts';
export type { CheckReport } from './doctor/check.ts';
export type { Finding } from './doctor/finding.ts';
export type { SnapshotHead, SnapshotItem, SnapshotRecord } from './changes/snapshot/item.ts';
export type { ReadSnapshot } from './changes/snapshot/read.ts';
export type { ExportWorkspace } from './transfer/export.ts';
export type { ImportedWorkspace, ImportWorkspace } from './transfer/import.ts';
export type { TransferCount, TransferKind, TransferRecord } from './model/transfer-record.ts';
export type { AuditAction, AuditRecord } from './model/log/audit-record.ts';
export type { ListAudit } from './audit/list.ts';
export {
  entryOf,
  historiesOf,
  type HistoriesOf,
  type HistoryAction,
  type HistoryEntry,
  type HistoryKind,
  type HistoryOf,
  MAX_ENTRIES,
  recordOf,
  type RemovedName,
} from './model/log/history-entry.ts';
export type { Cleared, Removed } from './kernel/removed.ts';
export type { ServiceSettings } from './model/service/service-settings.ts';
export type { ListBoardHistory, ListPageHistory, ListTaskHistory } from './history/list.ts';
export { describeAccessStep } from './access/describe-step.ts';
export { describeHistoryEntry } from './history/describe.ts';
export type { FieldChange, HistoryEntryView } from './history/view.ts';
export type { IdempotencyRecord } from './model/log/idempotency-record.ts';
export type { GrantAccess, ListAccessMembers, RevokeAccess } from './access/entries.ts';
export type { ExplainAccess, ExplanationExpansion, ExplanationNames, StepNames } from './access/explain.ts';
export type { EntryNames, MemberExpansion } from './access/members-access.ts';
export type { AccessChange, PreviewMove } from './access/preview.ts';
export type { ChangeAccessSettings, GetAccessSettings, SettingsExpansion, SettingsNames } from './access/settings.ts';
export type { AuditExpansion, AuditNames, AuditView, ListServiceAudit } from './audit/list.ts';
export type { CreateBoard, DeleteBoard, GetBoard, ListBoards, UpdateBoard } from './board/boards.ts';
export type { BoardAddress, MemberAddress, PageAddress, TaskAddress, WorkspaceAddress } from './model/address.ts';
export type { StatusAddress } from './board/edit.ts';
export type { CreateStatus, DeleteStatus, UpdateStatus } from './board/statuses.ts';
export type { CreateTag, TagAddress, UpdateTag } from './board/tags.ts';
export type { BoardExpansion, BoardRecordNames, TagView } from './board/view.ts';
export type { ChecklistItemAddress, CreateChecklistItem, UpdateChecklistItem } from './checklist/checklists.ts';
export type { LinkTask, TaskLinkAddress } from './link/links.ts';
export type { LinkSummary, TaskLinkView } from './link/view.ts';
export type { HasLinks, LinkEnd, LinkType, TaskLinks } from './model/content/task-links.ts';
export type { CommentAddress, CreateComment, UpdateComment } from './comment/comments.ts';
export type { CommentNames } from './comment/view.ts';
export type { ImportCount, ImportedItem, ImportedStatus, ImportedTag } from './import/imported-board.ts';
export type {
  CreateInvitation,
  GetInvitation,
  InvitationAddress,
  InvitationId,
  ListInvitations,
} from './invitation/invitations.ts';
export type { InvitationExpansion, InvitationNames } from './invitation/view.ts';
export type { ListMembers, UpdateMember } from './member/members.ts';
export type { InvitationGrant } from './model/workspace/invitation.ts';
export type { MemberName, PageName, StatusName, TagName, UserName } from './names/names.ts';
export type { FullTaskExpansion, TaskExpansion, TaskNames } from './names/task-names.ts';
export type { CreatePage } from './page/create.ts';
export type { DeletePage, Deletion } from './page/delete.ts';
export type { GetPage, ListPages, PageExpansion } from './page/read.ts';
export type { UpdatePage } from './page/update.ts';
export type { PageNames } from './page/view.ts';
export type { QuotaLimits } from './service/quotas.ts';
export type { BoardCopy, CopyBoard, CopyPage, PageCopy } from './copy/copy.ts';
export type { CreateTask, CreateTasks } from './task/create.ts';
export type { ExpandTask } from './task/expand-answer.ts';
export type { TaskCount, TaskSelection } from './task/many/select.ts';
export type { SetOnTasks } from './task/many/set.ts';
export type { UpdateTasks } from './task/many/update.ts';
export type { DeleteTask } from './task/delete.ts';
export type { TaskFilters } from './task/list/filters.ts';
export type { TaskDraft } from './task/insert.ts';
export type { TaskAssignee, TaskTag } from './task/tags-and-assignees.ts';
export type { ListTasks } from './task/list/list.ts';
export type { TaskPosition } from './task/place/position.ts';
export type { GetTask } from './task/read.ts';
export type { TaskSort } from './task/list/sort.ts';
export type { UpdateTask } from './task/update.ts';
export type { CreateToken, CreateTokenFor, ListTokens, TokenAddress } from './token/tokens.ts';
export type { ListTrash, TrashAddress, TrashExpansion, TrashNames, TrashView } from './trash/items.ts';
export type { RestoredRecord, RestoreTrashed } from './trash/restore.ts';
export type { TrashCounts } from './model/trash-counts.ts';
export type { TrashItem, TrashKind } from './model/trash-item.ts';
export type { CreateUser, ListUsers, UpdateUser, UserAddress, UserProfile } from './user/users.ts';
export type { CreateWorkspace, UpdateWorkspace } from './workspace/workspaces.ts';
