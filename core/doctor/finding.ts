/** A violated invariant. */
export interface Finding {
  /** Null for a record outside of workspaces. */
  readonly workspaceId: string | null;
  /** The invariant that is violated. */
  readonly rule:
    | 'tree'
    | 'owner'
    | 'member'
    | 'access'
    | 'content'
    | 'order'
    | 'num'
    | 'reference'
    | 'external-id'
    | 'comment'
    | 'checklist'
    | 'link'
    | 'task-count'
    | 'metadata-index'
    | 'index'
    | 'identity';
  /** The id of the record at fault. */
  readonly id: string;
  /** What is wrong, for people. */
  readonly detail: string;
}

export type Report = (rule: Finding['rule'], id: string, detail: string) => void;
