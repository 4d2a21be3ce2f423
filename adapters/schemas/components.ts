import type { TSchema } from 'typebox';
import * as access from './noun/access.ts';
import { AuditRecord } from './noun/audit.ts';
import * as board from './noun/board.ts';
import { ChangeEvent } from './noun/change.ts';
import * as checklist from './noun/checklist.ts';
import * as copy from './noun/copy.ts';
import * as comment from './noun/comment.ts';
import { HistoryEntry } from './noun/history.ts';
import * as imports from './noun/import.ts';
import * as invitation from './noun/invitation.ts';
import * as member from './noun/member.ts';
import * as page from './noun/page.ts';
import * as quota from './noun/quota.ts';
import * as status from './noun/status.ts';
import * as tag from './noun/tag.ts';
import * as task from './noun/task.ts';
import { TaskLink } from './task-links.ts';
import { TaskFilter } from './noun/task-filters.ts';
import * as token from './noun/token.ts';
import * as trash from './noun/trash.ts';
import * as user from './noun/user.ts';
import * as names from './names.ts';
import * as workspace from './noun/workspace.ts';

/** Component names of the records in the OpenAPI document. */
export const records: Readonly<Record<string, TSchema>> = {
  MemberName: names.MemberName,
  PageName: names.PageName,
  StatusName: names.StatusName,
  TagName: names.TagName,
  UserName: names.UserName,
  Workspace: workspace.Workspace,
  Member: member.Member,
  Invitation: invitation.Invitation,
  Page: page.Page,
  AccessSettings: access.AccessSettings,
  AccessEntry: access.AccessEntry,
  AccessExplanation: access.AccessExplanation,
  AccessPreview: access.AccessPreview,
  AuditedAccess: access.AuditedAccess,
  BoardSummary: board.BoardSummary,
  Board: board.Board,
  BoardCopy: copy.BoardCopy,
  PageCopy: copy.PageCopy,
  Status: status.Status,
  Tag: tag.Tag,
  TaskSummary: task.TaskSummary,
  Task: task.Task,
  TaskDraft: task.TaskDraft,
  ChecklistItem: checklist.ChecklistItem,
  TaskLink,
  TaskFilter,
  SetOnTasks: task.SetOnTasks,
  TaskCount: task.TaskCount,
  Comment: comment.Comment,
  TrashItem: trash.TrashItem,
  User: user.User,
  Token: token.Token,
  NewToken: token.NewToken,
  ImportReport: imports.ImportReport,
  AuditRecord,
  ChangeEvent,
  HistoryEntry,
  QuotaLimits: quota.QuotaLimits,
};

/** What each record is, in the OpenAPI document, where its schema does not say it. */
export const RECORDS_ABOUT: Readonly<Record<string, string>> = {
  Workspace: 'Members, pages, boards and tasks that belong together, as one member of it sees it.',
  Member: "A user's place in a workspace.",
  Invitation: 'An offer to become a member.',
  Page: 'A node of the tree of a workspace, as the caller sees it.',
  AccessSettings: 'Whether a page inherits access, and what holds where it does not.',
  AccessEntry: 'What a member may do on a page.',
  AccessExplanation: 'How the level of a member on a page came about.',
  AccessPreview: 'Who would gain or lose what if a page moved.',
  AuditedAccess: 'What one member may do on one page, with findings.',
  BoardSummary: 'A board without its statuses and tags.',
  Board: 'A board with its statuses and tags.',
  BoardCopy: 'The copy of a board.',
  PageCopy: 'The copy of a page.',
  Status: 'A column of a board.',
  Tag: 'A mark for tasks of a board.',
  TaskSummary: 'A task as it stands in a list.',
  Task: 'A task with its checklist and its comments.',
  TrashItem: 'What was deleted, and can be restored.',
  TaskDraft: 'A task that is to be made.',
  ChecklistItem: 'A line of the checklist of a task.',
  TaskLink: 'A link of a task to another, as it reads there.',
  TaskFilter: 'The tasks that a list with these filters has, in its order.',
  SetOnTasks: 'What is set on each of many tasks.',
  TaskCount: 'How many tasks a call was about.',
  Comment: 'What a member wrote on a task.',
  User: 'Somebody who may sign in.',
  Token: 'An API token without its secret.',
  NewToken: 'An API token with its secret, this one time.',
  ImportReport: 'What an import has created.',
  HistoryEntry: 'One write to a record, as the caller sees it.',
  ChangeEvent: 'One change of a record, as the caller sees it.',
  AuditRecord: 'One change to who may do what, as it was and as it is.',
  QuotaLimits: 'The limits of a store.',
};

/** Component names of request bodies in the OpenAPI document. */
export const bodies: Readonly<Record<string, TSchema>> = {
  CreateWorkspace: workspace.CreateWorkspace,
  UpdateWorkspace: workspace.UpdateWorkspace,
  UpdateMember: member.UpdateMember,
  CreateInvitation: invitation.CreateInvitation,
  CreatePage: page.CreatePage,
  UpdatePage: page.UpdatePage,
  RestoreTrashed: trash.RestoreTrashed,
  ChangeAccessSettings: access.ChangeAccessSettings,
  GrantAccess: access.GrantAccess,
  CreateBoard: board.CreateBoard,
  UpdateBoard: board.UpdateBoard,
  CopyBoard: copy.CopyBoard,
  CopyPage: copy.CopyPage,
  CreateStatus: status.CreateStatus,
  UpdateStatus: status.UpdateStatus,
  CreateTag: tag.CreateTag,
  UpdateTag: tag.UpdateTag,
  CreateTask: task.CreateTask,
  CreateTasks: task.CreateTasks,
  UpdateTask: task.UpdateTask,
  UpdateTasks: task.UpdateTasks,
  TaskSelection: task.TaskSelection,
  TaskTag: task.AddTag,
  LinkTask: task.LinkTask,
  TaskAssignee: task.AssignTask,
  CreateChecklistItem: checklist.CreateChecklistItem,
  UpdateChecklistItem: checklist.UpdateChecklistItem,
  CreateComment: comment.CreateComment,
  UpdateComment: comment.UpdateComment,
  UpdateMe: user.UpdateMe,
  CreateUser: user.CreateUser,
  UpdateUser: user.UpdateUser,
  UpdateQuotas: quota.UpdateQuotas,
  CreateToken: token.CreateToken,
  CreateTokenFor: token.CreateTokenFor,
  ImportBoard: imports.ImportBoard,
};
