import type { Session } from '../../../core/session.ts';
import { type Api, newApi } from '../http/support.ts';

/** A service to be asked by clients, with a workspace of the administrator Ada. */
export interface ClientService {
  readonly api: Api;
  /** Ada's, in process. */
  readonly local: Session;
  readonly url: string;
  /** Ada's. */
  readonly token: string;
  readonly workspaceId: string;
}

export async function newClientService(): Promise<ClientService> {
  const api = await newApi('through a socket');
  const { id, token } = await api.user('Ada', { administrator: true });
  const local = api.espalier.as(id);
  return { api, local, url: api.url, token, workspaceId: (await local.workspaces.create({ name: 'Acme' })).id };
}
