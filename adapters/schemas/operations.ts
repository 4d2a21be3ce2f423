import { accessOperations } from './access.ts';
import { auditOperations } from './audit.ts';
import { boardOperations } from './board.ts';
import { commentOperations } from './comment.ts';
import { importOperations } from './import.ts';
import { invitationOperations } from './invitation.ts';
import { memberOperations } from './member.ts';
import type { Operation } from './operation.ts';
import { pageOperations } from './page.ts';
import { statusOperations } from './status.ts';
import { tagOperations } from './tag.ts';
import { taskOperations } from './task-operations.ts';
import { tokenOperations } from './token.ts';
import { userOperations } from './user.ts';
import { workspaceOperations } from './workspace.ts';

/** Everything the service answers: one row per use case. The routes, the OpenAPI document and a client stand on it. */
export const operations: readonly Operation[] = [
  ...workspaceOperations,
  ...memberOperations,
  ...invitationOperations,
  ...pageOperations,
  ...accessOperations,
  ...boardOperations,
  ...statusOperations,
  ...tagOperations,
  ...taskOperations,
  ...commentOperations,
  ...userOperations,
  ...tokenOperations,
  ...importOperations,
  ...auditOperations,
];
