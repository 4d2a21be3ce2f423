import type { Member } from '../../core/member/member.ts';
import type { WorkspaceRepository } from '../../core/store.ts';
import type { Workspace } from '../../core/workspace/workspace.ts';
import { idKey, textKey } from './key.ts';
import { after as behindKey, type Kv, scan, within } from './kv.ts';
import type { Spaces } from './spaces.ts';
import { table } from './table.ts';

const WORKSPACES = within(table.workspace);

export class KvWorkspaces implements WorkspaceRepository {
  readonly #kv: Kv;
  readonly #spaces: Spaces;

  constructor(kv: Kv, spaces: Spaces) {
    this.#kv = kv;
    this.#spaces = spaces;
  }

  async byAlias(alias: string): Promise<Workspace | null> {
    const id = this.#kv.get(table.workspaceByAlias + textKey(alias));
    return id === undefined ? null : this.#get(id as string);
  }

  async ofUser(userId: string): Promise<readonly { readonly workspace: Workspace; readonly member: Member }[]> {
    const found: { readonly workspace: Workspace; readonly member: Member }[] = [];
    const prefix = table.membership + idKey(userId);
    for (const [key, memberId] of scan(this.#kv, within(prefix))) {
      const workspace = this.#get(key.slice(prefix.length));
      if (workspace === null) continue;
      const space = this.#spaces.key(workspace.id);
      const member = this.#kv.get(table.member + space + (memberId as string)) as Member | undefined;
      if (member?.active === true) found.push({ workspace, member });
    }
    return found;
  }

  async list(after: string | null, limit: number): Promise<readonly Workspace[]> {
    const range = after === null ? WORKSPACES : behindKey(WORKSPACES, table.workspace + idKey(after));
    return this.#kv.range(range, limit, false).map(([, workspace]) => workspace as Workspace);
  }

  #get(id: string): Workspace | null {
    return (this.#kv.get(table.workspace + id) as Workspace | undefined) ?? null;
  }
}
