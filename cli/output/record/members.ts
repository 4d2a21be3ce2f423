import type { CommandCall } from '../../call.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';

/**
 * Adds the member of a field to records for scripts, as `expanded`, for records whose interface has no `expand`. In
 * other output, the records are unchanged.
 *
 * @param field a field with the id of a member: `byId` becomes `expanded.by`
 */
export async function withMember<T extends object>(
  { out }: Pick<CommandCall, 'out'>,
  workspace: WorkspaceLookup,
  records: readonly T[],
  field: keyof T & `${string}Id`,
): Promise<readonly T[]> {
  if (!out.takesNames || records.length === 0) return records;
  const names = new Map((await workspace.formerMembers()).map(({ id, name }) => [id, name]));
  const key = field.slice(0, -'Id'.length);
  return records.map((record) => {
    const id = record[field] as string | null;
    const { expanded } = record as { readonly expanded?: object };
    return { ...record, expanded: { ...expanded, [key]: id === null ? null : { id, name: names.get(id) ?? null } } };
  });
}
