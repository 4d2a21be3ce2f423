/** Something that must not be. */
export interface Finding {
  readonly workspaceId: string;
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
    | 'comment';
  /** The record it is wrong with. */
  readonly id: string;
  readonly detail: string;
}
