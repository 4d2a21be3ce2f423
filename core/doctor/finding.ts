/** Something that must not be. */
export interface Finding {
  /** Null for what belongs to no workspace. */
  readonly workspaceId: string | null;
  /** What kind of thing is wrong. */
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
    | 'tally'
    | 'identity';
  /** The record it is wrong with. */
  readonly id: string;
  readonly detail: string;
}
