import { memberFrom, type StoredMember } from '../../../core/model/workspace/member.ts';
import { pageFrom, type StoredPage } from '../../../core/model/workspace/page.ts';
import { idKey, idKeyAt, idOfKey } from '../engine/key.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import type { KvReader, KvValue } from '../engine/kv.ts';
import { scopeIn } from '../records/layout.ts';
import { placeOf } from '../structure/stored-pages.ts';
import { NO_WORKSPACE, type WorkspaceKeys } from '../structure/workspace-keys.ts';
import type { IndexedKind, IndexedRecord } from './indexed-record.ts';

/** Pages, with the children of each. */
export function indexedPages(kv: KvReader, workspaceKeys: WorkspaceKeys): IndexedKind {
  const indexed = (value: KvValue): IndexedRecord => {
    const { id, workspaceId, parentId, orderKey } = pageFrom(value as StoredPage);
    const workspaceKey = workspaceKeys.key(workspaceId) ?? NO_WORKSPACE;
    const place = PREFIX.pageOfParent + workspaceKey + placeOf({ id, parentId, orderKey });
    return {
      id,
      workspaceId,
      entries: new Map([
        [PREFIX.page + workspaceKey + idKey(id), value],
        [place, idKey(id)],
      ]),
    };
  };
  return {
    records: PREFIX.page,
    indexes: new Map([[PREFIX.pageOfParent, { name: 'pages.parent', scope: 'short-name' }]]),
    stored: ([, value]) => indexed(value),
    indexed: ([key, id]) => {
      const workspaceKey = scopeIn('short-name', key, PREFIX.pageOfParent);
      return ifThere(kv, PREFIX.page + workspaceKey + (id as string), indexed);
    },
  };
}

/** Members, with the workspaces of each user. */
export function indexedMembers(kv: KvReader, workspaceKeys: WorkspaceKeys): IndexedKind {
  const indexed = (value: KvValue): IndexedRecord => {
    const { id, workspaceId, userId } = memberFrom(value as StoredMember);
    const workspaceKey = workspaceKeys.key(workspaceId) ?? NO_WORKSPACE;
    return {
      id,
      workspaceId,
      entries: new Map([
        [PREFIX.member + workspaceKey + idKey(id), value],
        [PREFIX.membership + idKey(userId) + idKey(workspaceId), idKey(id)],
      ]),
    };
  };
  return {
    records: PREFIX.member,
    indexes: new Map([[PREFIX.membership, { name: 'members.user', scope: 'none' }]]),
    stored: ([, value]) => indexed(value),
    indexed: ([key, id]) => {
      const user = idKeyAt(key, PREFIX.membership.length);
      const workspaceId = idOfKey(key.slice(PREFIX.membership.length + user.length));
      return ifThere(kv, PREFIX.member + workspaceKeys.key(workspaceId) + (id as string), indexed);
    },
  };
}

function ifThere(kv: KvReader, key: string, indexed: (value: KvValue) => IndexedRecord): IndexedRecord | undefined {
  const value = kv.get(key);
  return value === undefined ? undefined : indexed(value);
}
