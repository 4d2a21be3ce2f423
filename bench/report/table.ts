/** A Markdown table with aligned columns, readable as plain text. */
export function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const cells = [head, ...lines].map((line) => line.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, i) => Math.max(3, ...cells.map((line) => (line[i] ?? '').length)));
  const text = (line: readonly string[]) =>
    `| ${widths.map((width, i) => (line[i] ?? '').padEnd(width)).join(' | ')} |`;
  const [first, ...rest] = cells;
  return [text(first!), text(widths.map((width) => '-'.repeat(width))), ...rest.map(text)].join('\n');
}
