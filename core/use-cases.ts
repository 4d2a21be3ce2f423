import { boardUseCases, type BoardUseCases } from './use-cases/board.ts';
import { pageUseCases, type PageUseCases } from './use-cases/page.ts';
import { taskUseCases, type TaskUseCases } from './use-cases/task.ts';
import { serviceUseCases, type ServiceUseCases } from './use-cases/service.ts';
import { userUseCases, type UserUseCases } from './use-cases/user.ts';
import { workspaceUseCases, type WorkspaceUseCases } from './use-cases/workspace.ts';

/** All use cases, by noun. The HTTP service, the CLI and the library call these. */
export interface UseCases
  extends UserUseCases, WorkspaceUseCases, PageUseCases, BoardUseCases, TaskUseCases, ServiceUseCases {}

/** A use case by noun and verb, like `tasks.get`. */
export type UseCaseName = {
  [Noun in keyof UseCases]: `${Noun & string}.${keyof UseCases[Noun] & string}`;
}[keyof UseCases];

/** The use cases, before an engine binds them to its ports. */
export const useCases: UseCases = {
  ...userUseCases,
  ...workspaceUseCases,
  ...pageUseCases,
  ...boardUseCases,
  ...taskUseCases,
  ...serviceUseCases,
};
