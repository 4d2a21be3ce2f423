/** Which workspace: what `workspaces.get` and `workspaces.delete` take. */
export interface WorkspaceAddress {
  /** The workspace: its id or alias. */
  readonly workspaceId: string;
}

/** Which page. */
export interface PageAddress extends WorkspaceAddress {
  /** The page. */
  readonly pageId: string;
}

/** Which board. */
export interface BoardAddress extends WorkspaceAddress {
  /** The board. */
  readonly boardId: string;
}

/** Which task. */
export interface TaskAddress extends WorkspaceAddress {
  /** The task. */
  readonly taskId: string;
}

/** Which member of a workspace: what `members.remove` takes. */
export interface MemberAddress extends WorkspaceAddress {
  /** The member. */
  readonly memberId: string;
}
