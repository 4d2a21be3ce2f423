import type { LinkType } from '../../../../core/index.ts';
import { EXAMPLE_IDS } from '../../../../adapters/schemas/examples.ts';
import { document } from './conform.ts';
import type { ExampleService, Sender } from './example-service.ts';
import type { Ask } from '../support.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly example?: unknown;
}

interface Media {
  readonly schema?: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  /** None needed, where it is there. */
  readonly security?: readonly [];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Record<string, Media> }>>;
}

export interface DocumentedOperation extends Described {
  readonly method: string;
  readonly path: string;
}

/** Every operation of the document. */
export const documented: readonly DocumentedOperation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as unknown as Record<string, Described>).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
  })),
);

/** The request that the document gives as the example of an operation, without a token. */
function exampleRequest({ method, path, parameters = [], requestBody }: DocumentedOperation): Ask {
  const given = parameters.flatMap((one) => ('$ref' in one || one.example === undefined ? [] : [one]));
  const valueOf = (name: string) => String(given.find((one) => one.in === 'path' && one.name === name)?.example);
  const query = new URLSearchParams();
  for (const { name, example } of given.filter((one) => one.in === 'query')) {
    for (const value of [example].flat()) query.append(name, String(value));
  }
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return {
    method,
    path: `${path.replace(/\{(\w+)\}/g, (_, name: string) => valueOf(name))}${query.size === 0 ? '' : `?${String(query)}`}`,
    ...(type === undefined ? {} : { headers: { 'content-type': type } }),
    ...(media === undefined ? {} : bodyOf(media.example)),
  };
}

const bodyOf = (example: unknown) => (typeof example === 'string' ? { raw: example } : { body: example });

/** Who sends it, where it is not the administrator. */
const SENDERS: Readonly<Record<string, Sender>> = { 'comments.update': 'cleo', 'invitations.join': 'eve' };

export const senderOf = (operationId: string): Sender => SENDERS[operationId] ?? 'ada';

type Prepare = (service: ExampleService) => Promise<unknown>;

const invite: Prepare = ({ as, next }) => {
  next.secrets.push(EXAMPLE_IDS.pending);
  return as.ada.invitations.create({ workspaceId: 'acme', role: 20 });
};

const withItem: Prepare = ({ as, next }) => {
  next.ids.push(EXAMPLE_IDS.item);
  return as.ada.checklists.create({ workspaceId: 'acme', taskId: EXAMPLE_IDS.readme, text: 'Tell the newsletter' });
};
const linked =
  (fromTaskId: string, type: LinkType, taskId: string): Prepare =>
  ({ as }) =>
    as.ada.tasks.link({ workspaceId: 'acme', fromTaskId, type, taskId });
const trashArchive: Prepare = ({ as }) => as.ada.pages.delete({ workspaceId: 'acme', pageId: EXAMPLE_IDS.archive });

/** What must be there for an example to be answered as the document says. */
const PREPARATIONS: Readonly<Record<string, Prepare>> = {
  'invitations.revoke': invite,
  'invitations.join': invite,
  'changes.list': async ({ as }) => {
    let cursor = '';
    await as.ada.workspaces.get({ workspaceId: 'acme' }, { onCursor: (now) => void (cursor = now) });
    await as.ada.tasks.update({ workspaceId: 'acme', taskId: EXAMPLE_IDS.readme, title: 'Write the guide' });
    return (ask: Ask) => ({ ...ask, path: ask.path.replace(/since=[^&]*/, `since=${cursor}`) });
  },
  'checklists.update': withItem,
  'checklists.delete': withItem,
  'tasks.unlink': linked(EXAMPLE_IDS.readme, 'relates', EXAMPLE_IDS.publish),
  'tasks.unlinkParent': linked(EXAMPLE_IDS.publish, 'parent', EXAMPLE_IDS.readme),
  'trash.list': trashArchive,
  'trash.restore': trashArchive,
  'trash.delete': trashArchive,
  'tokens.revoke': ({ as, next }) => {
    next.ids.push(EXAMPLE_IDS.token);
    return as.ada.tokens.create({ name: 'old' });
  },
};

/** Makes what the example of an operation needs, and gives the example as it is to be sent then. */
export async function prepared(operation: DocumentedOperation, service: ExampleService): Promise<Ask> {
  const example = exampleRequest(operation);
  const adapt = await PREPARATIONS[operation.operationId]?.(service);
  return typeof adapt === 'function' ? (adapt as (ask: Ask) => Ask)(example) : example;
}
