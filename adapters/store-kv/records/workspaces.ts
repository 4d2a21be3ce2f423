import { memberFrom, type Member, type StoredMember } from '../../../core/model/member.ts';
import type { WorkspaceRepository } from '../../../core/ports/store.ts';
import type { Workspace } from '../../../core/model/workspace.ts';
import { idKey, textKey } from '../engine/key.ts';
import { rangeAfter as behindKey, type Kv, scan, prefixRange } from '../engine/kv.ts';
import type { WorkspaceKeys } from '../structure/workspace-keys.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

const WORKSPACES = prefixRange(PREFIX.workspace);

export class KvWorkspaces implements WorkspaceRepository {
  readonly #kv: Kv;
  readonly #spaces: WorkspaceKeys;

  constructor(kv: Kv, spaces: WorkspaceKeys) {
    this.#kv = kv;
    this.#spaces = spaces;
  }

  async byAlias(alias: string): Promise<Workspace | null> {
    const id = this.#kv.get(PREFIX.workspaceByAlias + textKey(alias));
    return id === undefined ? null : this.#get(id as string);
  }

  async ofUser(userId: string): Promise<readonly { readonly workspace: Workspace; readonly member: Member }[]> {
    return [...this.#activeOf(userId)];
  }

  async countOfUser(userId: string, limit: number): Promise<number> {
    let count = 0;
    for (const _ of this.#activeOf(userId)) {
      count += 1;
      if (count >= limit) break;
    }
    return count;
  }

  *#activeOf(userId: string): IterableIterator<{ readonly workspace: Workspace; readonly member: Member }> {
    const prefix = PREFIX.membership + idKey(userId);
    for (const [key, memberId] of scan(this.#kv, prefixRange(prefix))) {
      const workspace = this.#get(key.slice(prefix.length));
      if (workspace === null) continue;
      const space = this.#spaces.key(workspace.id);
      const member = this.#kv.get(PREFIX.member + space + (memberId as string)) as StoredMember | undefined;
      if (member?.active === true) yield { workspace, member: memberFrom(member) };
    }
  }

  async list(after: string | null, limit: number): Promise<readonly Workspace[]> {
    const range = after === null ? WORKSPACES : behindKey(WORKSPACES, PREFIX.workspace + idKey(after));
    return this.#kv.range(range, limit, false).map(([, workspace]) => workspace as Workspace);
  }

  #get(id: string): Workspace | null {
    return (this.#kv.get(PREFIX.workspace + id) as Workspace | undefined) ?? null;
  }
}
