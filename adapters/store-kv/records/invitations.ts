import { invitationFrom, type Invitation, type StoredInvitation } from '../../../core/model/invitation.ts';
import type { InvitationRepository } from '../../../core/ports/store.ts';
import { idKey, timeKey } from '../engine/key.ts';
import { rangeAfter as behindKey, type Kv, scan, prefixRange } from '../engine/kv.ts';
import type { WorkspaceKeys } from '../structure/workspace-keys.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

export class KvInvitations implements InvitationRepository {
  readonly #kv: Kv;
  readonly #spaces: WorkspaceKeys;

  constructor(kv: Kv, spaces: WorkspaceKeys) {
    this.#kv = kv;
    this.#spaces = spaces;
  }

  async get(id: string): Promise<Invitation | null> {
    return this.#get(idKey(id));
  }

  async ofWorkspace(workspaceId: string, after: string | null, limit: number): Promise<readonly Invitation[]> {
    const space = this.#spaces.key(workspaceId);
    if (space === null) return [];
    let range = prefixRange(PREFIX.invitationOfWorkspace + space);
    if (after !== null) {
      const last = this.#get(idKey(after));
      if (last === null || last.workspaceId !== workspaceId) return [];
      range = behindKey(range, placeOf(space, last));
    }
    return this.#kv.range(range, limit, false).flatMap(([, id]) => this.#get(id as string) ?? []);
  }

  async pendingBy(
    workspaceId: string,
    memberId: string,
    membership: number,
    limit: number,
  ): Promise<readonly Invitation[]> {
    const space = this.#spaces.key(workspaceId);
    if (space === null) return [];
    const range = prefixRange(PREFIX.pendingInvitation + space + idKey(memberId));
    const pending: Invitation[] = [];
    for (const [, id] of scan(this.#kv, range)) {
      const invitation = this.#get(id as string);
      if (invitation?.issuerMembership === membership) pending.push(invitation);
      if (pending.length >= limit) break;
    }
    return pending;
  }

  /** Those stored by releases without the index by expiry are not counted; they expire within 90 days. */
  async countPending(workspaceId: string, now: string, limit: number): Promise<number> {
    const space = this.#spaces.key(workspaceId);
    if (space === null) return 0;
    const prefix = PREFIX.pendingInvitationByExpiry + space;
    const later = { from: prefixRange(prefix + timeKey(now)).to, to: prefixRange(prefix).to };
    return this.#kv.range(later, limit, false).length;
  }

  async insert(invitation: Invitation): Promise<void> {
    const space = this.#spaces.claim(invitation.workspaceId);
    const id = idKey(invitation.id);
    this.#kv.put(PREFIX.invitation + id, invitation);
    this.#kv.put(placeOf(space, invitation), id);
    if (invitation.status !== 'pending') return;
    this.#kv.put(pendingKey(space, invitation), id);
    this.#kv.put(expiryKey(space, invitation), id);
  }

  async replace(invitation: Invitation): Promise<void> {
    const before = this.#get(idKey(invitation.id));
    if (before !== null) this.#remove(before);
    await this.insert(invitation);
  }

  /** Takes away up to `limit` of a workspace. @returns how many */
  removeOf(workspaceId: string, limit: number): number {
    const space = this.#spaces.claim(workspaceId);
    const found = this.#kv.range(prefixRange(PREFIX.invitationOfWorkspace + space), limit, false);
    for (const [, id] of found) {
      const invitation = this.#get(id as string);
      if (invitation !== null) this.#remove(invitation);
    }
    return found.length;
  }

  #get(id: string): Invitation | null {
    const stored = this.#kv.get(PREFIX.invitation + id) as StoredInvitation | undefined;
    return stored === undefined ? null : invitationFrom(stored);
  }

  #remove(invitation: Invitation): void {
    const space = this.#spaces.claim(invitation.workspaceId);
    this.#kv.remove(PREFIX.invitation + idKey(invitation.id));
    this.#kv.remove(placeOf(space, invitation));
    this.#kv.remove(pendingKey(space, invitation));
    this.#kv.remove(expiryKey(space, invitation));
  }
}

function placeOf(space: string, invitation: Invitation): string {
  return PREFIX.invitationOfWorkspace + space + timeKey(invitation.createdAt) + idKey(invitation.id);
}

function pendingKey(space: string, invitation: Invitation): string {
  return PREFIX.pendingInvitation + space + idKey(invitation.createdById) + idKey(invitation.id);
}

function expiryKey(space: string, invitation: Invitation): string {
  return PREFIX.pendingInvitationByExpiry + space + timeKey(invitation.expiresAt) + idKey(invitation.id);
}
