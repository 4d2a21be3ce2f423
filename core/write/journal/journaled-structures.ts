import type { Member } from '../../model/workspace/member.ts';
import type { Structure, StructureChange } from '../../model/workspace/structure.ts';
import type { Workspace } from '../../model/workspace/workspace.ts';
import type { AuditDraft } from '../../model/log/audit-record.ts';
import { inSteps, type Stepwise } from '../../kernel/stepwise.ts';
import type { StructureRepository } from '../../ports/structures.ts';
import { type Yielder, yielderOf } from '../../ports/yielder.ts';
import { removalOf } from '../../tree/removal.ts';
import { createdAudit, deletedAudit, openedAudit, stagedAudit, structureAudit } from './audit-diff.ts';
import type { GuardedChange } from '../guards.ts';
import type { PendingChanges } from './pending-changes.ts';
import { StructureWrapper } from '../structure-wrapper.ts';

/** Where the writes of structures are collected. */
export interface StructureJournal {
  changesIn(workspaceId: string): PendingChanges;
  readonly audit: AuditDraft[];
  /** Of workspaces that are being imported: they have no readers yet. */
  readonly unlogged: GuardedChange[];
  /** The last structure that the transaction has made of each workspace. */
  readonly structures: Structure[];
  /** Absent: changes are collected at once. */
  readonly yielder?: (() => Yielder) | undefined;
}

/** Structures that collect what a transaction makes of them: of changes of one workspace in a row, the last. */
export class CollectedStructures extends StructureWrapper {
  readonly #made: Structure[];

  constructor(inner: StructureRepository, made: Structure[]) {
    super(inner);
    this.#made = made;
  }

  override async change(structure: Structure, change: StructureChange): Promise<Structure> {
    const next = await super.change(structure, change);
    if (this.#made.at(-1)?.workspace.id === next.workspace.id) this.#made.pop();
    this.#made.push(next);
    return next;
  }
}

/** Structures of which the journal learns what is read and written: for the log, the audit and the guards. */
export class JournaledStructures extends CollectedStructures {
  readonly #journal: StructureJournal;

  constructor(inner: StructureRepository, journal: StructureJournal) {
    super(inner, journal.structures);
    this.#journal = journal;
  }

  override async get(workspaceId: string, known?: Structure): Promise<Structure | null> {
    const structure = await this.inner.get(workspaceId, known);
    this.#journal.changesIn(workspaceId).structure = structure;
    return structure;
  }

  override async insert(workspace: Workspace, owner: Member): Promise<Structure> {
    const changes = this.#journal.changesIn(workspace.id);
    changes.add('workspace', null, workspace);
    changes.add('member', null, owner);
    this.#journal.audit.push(...createdAudit(workspace, owner));
    const structure = await this.inner.insert(workspace, owner);
    changes.structure = structure;
    return structure;
  }

  override stage(workspaceId: string, staged: Pick<StructureChange, 'members' | 'pages'>): Promise<void> {
    const { unlogged, audit } = this.#journal;
    for (const member of staged.members ?? []) unlogged.push({ kind: 'member', before: null, after: member });
    for (const page of staged.pages ?? []) unlogged.push({ kind: 'page', before: null, after: page });
    audit.push(...stagedAudit(workspaceId, staged));
    return this.inner.stage(workspaceId, staged);
  }

  override open(structure: Structure): Promise<void> {
    this.#journal.unlogged.push({ kind: 'workspace', before: null, after: structure.workspace });
    this.#journal.audit.push(...openedAudit(structure.workspace));
    return this.inner.open(structure);
  }

  override async change(structure: Structure, change: StructureChange): Promise<Structure> {
    const { audit } = this.#journal;
    const changes = this.#journal.changesIn(structure.workspace.id);
    await inSteps(addStructureChange(changes, structure, change), yielderOf(this.#journal));
    for (const draft of structureAudit(structure, change)) audit.push(draft);
    const next = await super.change(structure, change);
    changes.structure = next;
    return next;
  }

  override remove(structure: Structure): Promise<void> {
    this.#journal.changesIn(structure.workspace.id).add('workspace', structure.workspace, null);
    this.#journal.audit.push(...deletedAudit(structure.workspace));
    return this.inner.remove(structure);
  }
}

function* addStructureChange(changes: PendingChanges, structure: Structure, change: StructureChange): Stepwise<void> {
  if (change.workspace !== undefined) changes.add('workspace', structure.workspace, change.workspace);
  for (const member of change.members ?? []) {
    // A former member is no record that others read: leaving counts as a deletion.
    const [before, after] = [activeOrNull(structure.member(member.id)), activeOrNull(member)];
    if (before !== null || after !== null) changes.add('member', before, after);
  }
  const isRestore = change.restoredPages !== undefined;
  for (const page of change.pages ?? []) {
    yield;
    const before = structure.page(page.id) ?? null;
    if (before === null && (change.shows === true || isRestore)) changes.reveal(page);
    if (before === null && change.shows === true) continue;
    // A page that is restored with what is below it is shown, not created.
    if (before === null && isRestore) changes.add('page', { ...page, version: page.version - 1 }, page);
    else changes.add('page', before, page);
    if (before === null) changes.addedPages.add(page.id);
  }
  const shown = change.shows === true ? change.pages?.find(({ id }) => structure.page(id) === undefined) : undefined;
  // Not as a creation, which would imply nothing below it.
  if (shown !== undefined) changes.add('page', { ...shown, version: 0 }, shown);
  const { ids, roots } = removalOf(structure, change);
  changes.removedPages.add(ids);
  // The deletion of a root implies that of its descendants.
  for (const page of roots) changes.add('page', page, null);
}

function activeOrNull(member: Member | undefined): Member | null {
  return member?.active === true ? member : null;
}
