import { oneLine, safe, type SafeText } from '../../io/safe-text.ts';
import type { Style } from '../table/style.ts';

/** The name of a column or tag, and whether it is being removed. */
export function nameText(one: { readonly name: string; readonly beingRemoved?: boolean }, style: Style): SafeText {
  const name = oneLine(one.name);
  return one.beingRemoved === true ? safe`${name} ${style.dim('(being removed)')}` : name;
}
