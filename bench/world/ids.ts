export type Kind = 'workspace' | 'user' | 'member' | 'page' | 'status' | 'tag' | 'task';

const KINDS: readonly Kind[] = ['workspace', 'user', 'member', 'page', 'status', 'tag', 'task'];

/**
 * The id of the nth record of a kind in a world. Known without asking, so that load generators know what to
 * ask for. Like those of the engine it is a UUID v7, sorts by creation, and before whatever is created later.
 */
export function idOf(world: number, kind: Kind, n: number): string {
  const prefix = world.toString(16).padStart(8, '0');
  return `${prefix}-${KINDS.indexOf(kind).toString(16).padStart(4, '0')}-7000-8000-${n.toString(16).padStart(12, '0')}`;
}
