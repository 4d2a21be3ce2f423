import { boardUseCases } from './use-cases/board.ts';
import { pageUseCases } from './use-cases/page.ts';
import { taskUseCases } from './use-cases/task.ts';
import { serviceUseCases } from './use-cases/service.ts';
import { userUseCases } from './use-cases/user.ts';
import { workspaceUseCases } from './use-cases/workspace.ts';

/** All use cases, by noun. The HTTP service, the CLI and the library call these. */
export type UseCases = typeof userUseCases &
  typeof workspaceUseCases &
  typeof pageUseCases &
  typeof boardUseCases &
  typeof taskUseCases &
  typeof serviceUseCases;

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
