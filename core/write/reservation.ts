import type { Context } from '../ports/context.ts';
import type { Reservation } from '../ports/reservation.ts';
import type { Store } from '../ports/store.ts';

/** Thrown to end a transaction that would change a reserved structure: it is run again when the reservation is over. */
export class StructureReserved extends Error {
  readonly ended: Promise<void>;

  constructor({ ended }: Reservation) {
    super('The structure is reserved.');
    this.ended = ended;
  }
}

/** By workspace. */
const reservations = new WeakMap<Store, Map<string, Reservation>>();

/**
 * Keeps other calls of this engine from changing the structure of a workspace while `work` runs. They hold no
 * transaction meanwhile: all other writes go on.
 *
 * @param work is given the context with which it may change the structure itself
 */
export async function withStructureReserved<T>(
  context: Context,
  workspaceId: string,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const ofStore = reservations.get(context.store) ?? new Map<string, Reservation>();
  reservations.set(context.store, ofStore);
  for (let other = ofStore.get(workspaceId); other !== undefined; other = ofStore.get(workspaceId)) await other.ended;
  let end!: () => void;
  const reservation: Reservation = { ended: new Promise<void>((resolve) => (end = resolve)) };
  ofStore.set(workspaceId, reservation);
  try {
    return await work({ ...context, reservation });
  } finally {
    ofStore.delete(workspaceId);
    end();
  }
}

/** O(1). @throws {@link StructureReserved} if another call has reserved the structure */
export function requireUnreserved(
  { store, reservation }: Partial<Pick<Context, 'store' | 'reservation'>>,
  workspaceId: string,
): void {
  const found = store === undefined ? undefined : reservations.get(store)?.get(workspaceId);
  if (found !== undefined && found !== reservation) throw new StructureReserved(found);
}
