import type { ChecklistItemView } from '../../core/checklist/view.ts';
import { isId } from '../../core/kernel/id.ts';
import { resolveName } from './resolve-name.ts';

/**
 * The id of an item of a checklist, named by its number in the list (`3` or `#3`), its exact text, or its id.
 *
 * @param items reads the checklist; not called for an id
 */
export async function itemIdOf(items: () => Promise<readonly ChecklistItemView[]>, ref: string): Promise<string> {
  if (isId(ref)) return ref;
  const all = await items();
  const number = /^#?(\d{1,3})$/.exec(ref)?.[1];
  const numbered = number === undefined ? undefined : all[Number(number) - 1];
  if (numbered !== undefined) return numbered.id;
  return resolveName(
    'item',
    ref,
    all.map(({ id, text }) => ({ id, names: [text], shown: text })),
  );
}
