import { OWNER } from '../../../core/model/access/role.ts';
import { memberFrom, type Member, type StoredMember } from '../../../core/model/workspace/member.ts';
import type { Workspace } from '../../../core/model/workspace/workspace.ts';
import type { ListRange } from '../../../core/ports/collection.ts';
import type { Membership } from '../../../core/ports/structures.ts';
import type { Yielder } from '../../../core/ports/yielder.ts';
import { idKey } from '../engine/key.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import { type Kv, prefixRange, resumeFrom, scan } from '../engine/kv.ts';
import type { WorkspaceKeys } from './workspace-keys.ts';

/** The records that are read to determine whether a user is in a workspace, and with which role. */
const READS_OF_MEMBERSHIP = 4;

/** Members by workspace, with an index of the workspaces of each user. */
export class StoredMembers {
  readonly #kv: Kv;
  readonly #workspaceKeys: WorkspaceKeys;
  readonly #yielder: Yielder;

  constructor(kv: Kv, workspaceKeys: WorkspaceKeys, yielder: Yielder) {
    this.#kv = kv;
    this.#workspaceKeys = workspaceKeys;
    this.#yielder = yielder;
  }

  put(member: Member): void {
    const id = idKey(member.id);
    this.#kv.put(PREFIX.member + this.#workspaceKeys.allocate(member.workspaceId) + id, member);
    this.#kv.put(PREFIX.membership + idKey(member.userId) + idKey(member.workspaceId), id);
  }

  async ofUser(
    userId: string,
    { after = null, limit = Infinity }: Partial<ListRange<string>> = {},
  ): Promise<Membership[]> {
    const found: Membership[] = [];
    const yielder = this.#yielder;
    for (const one of this.#membershipsOf(userId, after)) {
      if (found.length >= limit) break;
      if (one !== null) found.push(one);
      const pause = yielder.step(READS_OF_MEMBERSHIP);
      if (pause !== null) await pause;
    }
    return found;
  }

  async ownedBy(userId: string, { after, limit }: ListRange<string>): Promise<string[]> {
    const found: string[] = [];
    const yielder = this.#yielder;
    for (const one of this.#membershipsOf(userId, after)) {
      if (found.length >= limit) break;
      if (one?.member.role === OWNER) found.push(one.workspace.id);
      const pause = yielder.step(READS_OF_MEMBERSHIP);
      if (pause !== null) await pause;
    }
    return found;
  }

  async owners(workspaceIds: readonly string[]): Promise<readonly Member[]> {
    const owners: Member[] = [];
    const yielder = this.#yielder;
    for (const id of workspaceIds) {
      for (const [, value] of scan(this.#kv, prefixRange(PREFIX.member + this.#workspaceKeys.allocate(id)))) {
        const member = memberFrom(value as StoredMember);
        if (member.active && member.role === OWNER) owners.push(member);
        const pause = yielder.step();
        if (pause !== null) await pause;
      }
    }
    return owners;
  }

  async countOfUser(userId: string, limit: number): Promise<number> {
    let count = 0;
    const yielder = this.#yielder;
    for (const one of this.#membershipsOf(userId)) {
      if (one !== null) count += 1;
      if (count >= limit) break;
      const pause = yielder.step(READS_OF_MEMBERSHIP);
      if (pause !== null) await pause;
    }
    return count;
  }

  /** Null for a workspace that no longer exists, or that the user has left. */
  *#membershipsOf(userId: string, after: string | null = null): IterableIterator<Membership | null> {
    const prefix = PREFIX.membership + idKey(userId);
    const all = prefixRange(prefix);
    const range = after === null ? all : resumeFrom(all, prefix + idKey(after), false);
    for (const [key, memberId] of scan(this.#kv, range)) {
      const workspace = this.#kv.get(PREFIX.workspace + key.slice(prefix.length)) as Workspace | undefined;
      const workspaceKey = workspace === undefined ? null : this.#workspaceKeys.key(workspace.id);
      const stored =
        workspaceKey === null ? undefined : this.#kv.get(PREFIX.member + workspaceKey + (memberId as string));
      const member = stored as StoredMember | undefined;
      yield workspace !== undefined && member?.active === true ? { workspace, member: memberFrom(member) } : null;
    }
  }
}
