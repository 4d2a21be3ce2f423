import type { Cleared } from '../kernel/removed.ts';
import type { Member } from '../model/workspace/member.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Structure, StructureChange } from '../model/workspace/structure.ts';
import type { Workspace } from '../model/workspace/workspace.ts';
import type { ListRange } from '../ports/collection.ts';
import type { Membership, StructureRepository } from '../ports/structures.ts';

/** A repository of structures that forwards every call to another. Subclasses override methods. */
export class StructureWrapper implements StructureRepository {
  protected readonly inner: StructureRepository;

  constructor(inner: StructureRepository) {
    this.inner = inner;
  }

  get(workspaceId: string, known?: Structure): Promise<Structure | null> {
    return this.inner.get(workspaceId, known);
  }

  ofUser(userId: string, range?: ListRange<string>): Promise<readonly Membership[]> {
    return this.inner.ofUser(userId, range);
  }

  ownedBy(userId: string, range: ListRange<string>): Promise<readonly string[]> {
    return this.inner.ownedBy(userId, range);
  }

  owners(workspaceIds: readonly string[]): Promise<readonly Member[]> {
    return this.inner.owners(workspaceIds);
  }

  storedBelow(workspaceId: string, parentIds: readonly string[], limit: number): Promise<readonly Page[]> {
    return this.inner.storedBelow(workspaceId, parentIds, limit);
  }

  storedChildren(workspaceId: string, parentId: string, after: Page | null, limit: number): Promise<readonly Page[]> {
    return this.inner.storedChildren(workspaceId, parentId, after, limit);
  }

  stored(workspaceId: string, ids: readonly string[]): Promise<readonly Page[]> {
    return this.inner.stored(workspaceId, ids);
  }

  insert(workspace: Workspace, owner: Member): Promise<Structure> {
    return this.inner.insert(workspace, owner);
  }

  change(structure: Structure, change: StructureChange): Promise<Structure> {
    return this.inner.change(structure, change);
  }

  remove(structure: Structure): Promise<void> {
    return this.inner.remove(structure);
  }

  clear(workspaceId: string, from: string | null, limit: number): Promise<Cleared> {
    return this.inner.clear(workspaceId, from, limit);
  }

  stage(workspaceId: string, records: Pick<StructureChange, 'members' | 'pages'>): Promise<void> {
    return this.inner.stage(workspaceId, records);
  }

  restage(workspaceId: string, pages: readonly Page[]): Promise<void> {
    return this.inner.restage(workspaceId, pages);
  }

  open(structure: Structure): Promise<void> {
    return this.inner.open(structure);
  }

  forget(workspaceId: string, pages: readonly Page[]): Promise<void> {
    return this.inner.forget(workspaceId, pages);
  }

  countOfUser(userId: string, limit: number): Promise<number> {
    return this.inner.countOfUser(userId, limit);
  }
}
