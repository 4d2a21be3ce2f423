import { accessOperations } from './noun/access.ts';
import { auditOperations } from './noun/audit.ts';
import { changeOperations, watchOperation } from './noun/change.ts';
import { boardOperations } from './noun/board.ts';
import { checklistOperations } from './noun/checklist.ts';
import { commentOperations } from './noun/comment.ts';
import { copyOperations } from './noun/copy.ts';
import { historyOperations } from './noun/history.ts';
import { importOperations } from './noun/import.ts';
import { invitationOperations } from './noun/invitation.ts';
import { memberOperations } from './noun/member.ts';
import type { Operation } from './operation.ts';
import { pageOperations } from './noun/page.ts';
import { quotaOperations } from './noun/quota.ts';
import { statusOperations } from './noun/status.ts';
import { tagOperations } from './noun/tag.ts';
import { taskOperations } from './noun/task-operations.ts';
import { tokenOperations } from './noun/token.ts';
import { trashOperations } from './noun/trash.ts';
import { userOperations } from './noun/user.ts';
import { workspaceOperations } from './noun/workspace.ts';

/**
 * All operations of the service: one row per use case. The routes, the OpenAPI document and the client are derived from
 * it.
 */
export const operations: readonly Operation[] = [
  ...workspaceOperations,
  ...memberOperations,
  ...invitationOperations,
  ...pageOperations,
  ...accessOperations,
  ...boardOperations,
  ...copyOperations,
  ...statusOperations,
  ...tagOperations,
  ...taskOperations,
  ...historyOperations,
  ...checklistOperations,
  ...commentOperations,
  ...trashOperations,
  ...userOperations,
  ...tokenOperations,
  ...quotaOperations,
  ...importOperations,
  ...auditOperations,
  ...changeOperations,
];

export { watchOperation };
