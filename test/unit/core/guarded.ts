import { createEngine } from '../../../core/engine.ts';
import { sessionOf, type Session } from '../../../core/session.ts';
import type { Guard, GuardCaller, GuardedRecord } from '../../../core/write/guards.ts';
import { newTeam } from '../../fixtures/world/team.ts';
import { newWorld, type World } from '../../fixtures/world/world.ts';

export interface Asked {
  readonly caller: GuardCaller;
  readonly before: GuardedRecord | null;
  readonly after: GuardedRecord | null;
}

/** A team with a board, and the same store through an engine with these guards. */
export function guarded(...guards: Guard[]) {
  return guardedIn(newWorld(), ...guards);
}

export async function guardedIn(world: World, ...guards: Guard[]) {
  const team = await newTeam(world);
  const { id: boardId, todo } = await team.board('Board');
  const engine = createEngine({ ...team.world.ports, guards });
  const as = (userId: string): Session => sessionOf(engine, { kind: 'user', userId });
  const operator = sessionOf(engine, { kind: 'operator' });
  return { ...team, boardId, todo, as, ada: as(team.owner.userId), operator };
}

/** A guard that notes what it is asked, and refuses what a test says. */
export function noting(refuses: (asked: Asked) => boolean = () => false) {
  const asked: Asked[] = [];
  const guard: Guard = (caller, before, after) => {
    asked.push({ caller, before, after });
    return refuses({ caller, before, after }) ? 'Not here.' : undefined;
  };
  return { asked, guard };
}

export const isTask = ({ before, after }: Asked) => (after ?? before)?.kind === 'task';
