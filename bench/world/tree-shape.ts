import type { Shape } from './shape.ts';

/** A tree of so many pages with the access of a company in it: 200 members, 2,000 entries, eight levels. */
export function treeShape(pages: number, tasks: number): Shape {
  const boards = Math.max(1, Math.round(pages / 10));
  return {
    world: 2,
    tasks,
    boards,
    members: 200,
    folders: pages - boards,
    depth: 8,
    entries: Math.round(pages / 5),
    assignees: 8,
    spread: 'even',
  };
}
