import type { Context } from '../ports/context.ts';
import { pageAt } from '../page/read.ts';
import { requireOutside } from '../page/place.ts';
import { changeStructure } from '../tree/build.ts';
import { read } from '../write/transaction.ts';
import { activeMembers } from './members-access.ts';
import { FULL, VIEW, type Level } from '../model/level.ts';
import { effective, principalOf } from './resolve.ts';
import { viewerOf } from './viewer.ts';

export interface AccessPreview {
  /** Those whose level on the page would change. Below it, they change wherever nothing nearer is set. */
  readonly changes: readonly {
    readonly memberId: string;
    readonly role: number;
    readonly before: Level;
    readonly after: Level;
  }[];
}

/** Who would gain and lose what if the page moved under `parentId` (null or absent: to the top). Writes nothing. */
export function previewMove(
  context: Context,
  input: { readonly workspaceId: string; readonly pageId: string; readonly parentId?: string | null },
): Promise<AccessPreview> {
  return read(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    const page = pageAt(viewer, input.pageId, FULL);
    const parentId = input.parentId ?? null;
    if (parentId !== null) pageAt(viewer, parentId, VIEW);
    requireOutside(viewer, page, parentId);
    const { structure } = viewer;
    const moved = changeStructure(structure, { pages: [{ ...page, parentId }] });
    const { members, users } = await activeMembers(tx, structure);
    const changes = members.flatMap((member) => {
      const who = principalOf(member, users.get(member.userId));
      const before = effective(structure, who, page.id);
      const after = effective(moved, who, page.id);
      return before === after ? [] : [{ memberId: member.id, role: member.role, before, after }];
    });
    return { changes };
  });
}
