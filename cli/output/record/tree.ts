import type { PageView } from '../../../core/page/view.ts';
import { levelName } from '../../config/values.ts';
import { joined, oneLine, safe, type SafeText } from '../../io/safe-text.ts';
import type { Style } from '../table/style.ts';
import { cut, pad, textWidth } from '../table/width.ts';
import { groupBy } from '../../../core/kernel/group.ts';

const MARKS = { folder: '▸', board: '▦', task: '•' } as const;

interface TreeLine {
  readonly text: SafeText;
  readonly page: PageView;
}

/** Draws the tree with the viewer's level on each page. Pages with a hidden parent are at the top. */
export function pageTree(pages: readonly PageView[], style: Style, width: number | undefined): SafeText {
  const children = groupBy(pages, ({ parentId }) => parentId);
  const lines: TreeLine[] = [];
  const walk = (parent: string | null, indent: string): void => {
    const siblings = children.get(parent) ?? [];
    siblings.forEach((page, i) => {
      const isLast = i === siblings.length - 1;
      const branch = parent === null ? '' : isLast ? '└─ ' : '├─ ';
      lines.push({ text: safe`${indent}${branch}${MARKS[page.type]} ${oneLine(page.name)}`, page });
      walk(page.id, parent === null ? '' : `${indent}${isLast ? '   ' : '│  '}`);
    });
  };
  walk(null, '');
  const levels = lines.map(({ page }) => levelText(page));
  const room = width === undefined ? Infinity : width - 2 - Math.max(0, ...levels.map(textWidth));
  const longest = Math.min(room, Math.max(0, ...lines.map(({ text }) => textWidth(text))));
  return joined(lines.map(({ text }, i) => safe`${pad(cut(text, longest), longest)}  ${style.dim(levels[i]!)}\n`));
}

function levelText({ access, accessType, parentHidden }: PageView): string {
  const marks = [accessType === 'accepted' ? 'set here' : '', parentHidden ? 'parent hidden' : ''].filter(Boolean);
  return `${levelName(access)}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`;
}
