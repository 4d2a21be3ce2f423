import { grantAccess, listAccessMembers, revokeAccess } from './access/entries.ts';
import { explainAccess } from './access/explain.ts';
import { previewMove } from './access/preview.ts';
import { changeAccessSettings, getAccessSettings } from './access/settings.ts';
import { activityLog } from './write/activity-log.ts';
import { listAudit, listServiceAudit } from './audit/list.ts';
import { createBoard, deleteBoard, getBoard, listBoards, updateBoard } from './board/boards.ts';
import { createStatus, deleteStatus, updateStatus } from './board/statuses.ts';
import { createTag, deleteTag, updateTag } from './board/tags.ts';
import { createComment, deleteComment, updateComment } from './comment/comments.ts';
import type { CallEffects, Call, Context, Ports } from './ports/context.ts';
import { mapVerbs } from './kernel/map-verbs.ts';
import { importBoard } from './import/board.ts';
import {
  createInvitation,
  getInvitation,
  listInvitations,
  readInvitation,
  revokeInvitation,
} from './invitation/invitations.ts';
import { joinWorkspace } from './invitation/join.ts';
import { listMembers, removeMember, updateMember } from './member/members.ts';
import { createPage } from './page/create.ts';
import { deletePage } from './page/delete.ts';
import { getPage, listPages } from './page/read.ts';
import { updatePage } from './page/update.ts';
import { JobRunner } from './jobs/runner.ts';
import { requireQuotas } from './model/quotas.ts';
import { getQuotas, updateQuotas } from './service/quotas.ts';
import { createTask, createTasks } from './task/create.ts';
import { deleteTask } from './task/delete.ts';
import { addTag, assign, removeTag, unassign } from './task/links.ts';
import { listTasks } from './task/list.ts';
import { getTask } from './task/read.ts';
import { updateTask } from './task/update.ts';
import { createToken, createTokenFor, listTokens, revokeToken } from './token/tokens.ts';
import { checkStore } from './doctor/check.ts';
import { exportWorkspace } from './transfer/export.ts';
import { importWorkspace } from './transfer/import.ts';
import { provision, ProvisioningRequired } from './user/provision-external-user.ts';
import { createUser, getMe, getUser, listUsers, updateMe, updateUser } from './user/users.ts';
import {
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
} from './workspace/workspaces.ts';

/** All use cases, by noun. The HTTP routes, the CLI and the library all call these. */
export const useCases = {
  me: { get: getMe, update: updateMe },
  tokens: { list: listTokens, create: createToken, createFor: createTokenFor, revoke: revokeToken },
  users: { list: listUsers, create: createUser, get: getUser, update: updateUser },
  workspaces: {
    list: listWorkspaces,
    create: createWorkspace,
    get: getWorkspace,
    update: updateWorkspace,
    delete: deleteWorkspace,
  },
  members: { list: listMembers, update: updateMember, remove: removeMember },
  invitations: {
    create: createInvitation,
    list: listInvitations,
    get: getInvitation,
    revoke: revokeInvitation,
    read: readInvitation,
    join: joinWorkspace,
  },
  pages: { list: listPages, create: createPage, get: getPage, update: updatePage, delete: deletePage },
  access: {
    settings: getAccessSettings,
    changeSettings: changeAccessSettings,
    members: listAccessMembers,
    grant: grantAccess,
    revoke: revokeAccess,
    explain: explainAccess,
    preview: previewMove,
  },
  boards: { list: listBoards, create: createBoard, get: getBoard, update: updateBoard, delete: deleteBoard },
  statuses: { create: createStatus, update: updateStatus, delete: deleteStatus },
  tags: { create: createTag, update: updateTag, delete: deleteTag },
  tasks: {
    list: listTasks,
    create: createTask,
    createMany: createTasks,
    get: getTask,
    update: updateTask,
    delete: deleteTask,
    addTag,
    removeTag,
    assign,
    unassign,
  },
  comments: { create: createComment, update: updateComment, delete: deleteComment },
  imports: { board: importBoard, workspace: importWorkspace },
  exports: { workspace: exportWorkspace },
  quotas: { get: getQuotas, update: updateQuotas },
  audit: { list: listAudit, service: listServiceAudit },
  doctor: { check: checkStore },
} as const;

export type UseCases = typeof useCases;

type Bound<F> = F extends (context: Context, ...rest: infer R) => infer O ? (call: Call, ...rest: R) => O : never;

/** The use cases bound to ports: the one inbound port. */
export type Engine = {
  readonly [Noun in keyof UseCases]: { readonly [Verb in keyof UseCases[Noun]]: Bound<UseCases[Noun][Verb]> };
};

/** @throws `invalid-input` for invalid quotas */
export function createEngine(ports: Ports): Engine {
  requireQuotas(ports.quotas ?? {});
  const logActivity = activityLog(ports);
  const { store, clock, ids, tokenFactory, quotas, impersonation, yieldToEventLoop } = ports;
  const jobs = ports.jobs ?? new JobRunner(ports);
  const bind = (run: (context: Context, input: never) => Promise<unknown>) => {
    const bound = async (call: Call, input: never): Promise<unknown> => {
      const { caller, requestId, ifVersion, once } = call;
      const effects: CallEffects = { active: new Set(), userId: null, jobs: false, secret: false };
      // Built field by field: spreading an object of unknown shape costs more than a small read.
      const context = {
        store,
        clock,
        ids,
        tokenFactory,
        quotas,
        impersonation,
        jobs,
        yieldToEventLoop,
        caller,
        requestId,
        ifVersion,
        once,
        effects,
      };
      try {
        const result = await run(context, input);
        await logActivity(effects.active);
        return result;
      } catch (error) {
        if (!(error instanceof ProvisioningRequired)) throw error;
        await provision(context, error.caller);
        return await bound(call, input);
      } finally {
        if (effects.jobs) ports.wakeBackground?.();
      }
    };
    return bound;
  };
  return mapVerbs(useCases, bind) as unknown as Engine;
}
