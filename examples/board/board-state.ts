import { codeOf, type Board, type Card, type FullCard, type Session } from './session.ts';

/** Where a card goes: behind another one, or to the start of the column. */
export interface Place {
  readonly statusId: string;
  readonly afterTaskId: string | null;
}

export interface BoardState {
  readonly board: Board;
  /** By place in their columns, with the changes that are on their way. */
  readonly cards: readonly Card[];
}

/** Somebody else was faster. */
export class Overtaken extends Error {
  readonly theirs: FullCard;

  constructor(theirs: FullCard) {
    super('Somebody else changed this card first.');
    this.theirs = theirs;
  }
}

type Update = Parameters<Session['tasks']['update']>[0];
export type Change = Omit<Update, 'workspaceId' | 'taskId'>;

/** @throws Overtaken when the card has another version */
export async function updateCard(session: Session, update: Update, version: number): Promise<FullCard> {
  try {
    return await session.tasks.update(update, { ifVersion: [version] });
  } catch (error) {
    if (codeOf(error) !== 'version-mismatch') throw error;
    const { workspaceId, taskId } = update;
    throw new Overtaken(await session.tasks.get({ workspaceId, taskId, expand: ['author'] }));
  }
}

export type OpenBoard = ReturnType<typeof openBoard>;

/**
 * One board as the service has it, and on top of that the changes that are on their way: what fails is taken off
 * again, which is the whole rollback.
 */
export function openBoard(
  session: Session,
  workspaceId: string,
  boardId: string,
  show: (state: BoardState) => void,
  onWritten: () => void,
) {
  let board: Board | null = null;
  let cards: ReadonlyMap<string, Card> = new Map();
  let pending: readonly { readonly id: string; readonly shown: Partial<Card> }[] = [];
  let writes = 0;
  let reading: Promise<void> | null = null;
  let readAgain = false;
  let isClosed = false;
  const lastWrite = new Map<string, Promise<unknown>>();

  function changed(): void {
    if (isClosed || board === null) return;
    const now = [...cards.values()].map((card) =>
      pending.reduce((before, { id, shown }) => (id === card.id ? { ...before, ...shown } : before), card),
    );
    show({ board, cards: now.sort((a, b) => a.statusOrderKey! - b.statusOrderKey!) });
  }

  async function readCards(): Promise<Map<string, Card>> {
    const read = new Map<string, Card>();
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = { workspaceId, boardId: [boardId], expand: ['assignees'] as const, limit: 500 };
      const { items, next } = await session.tasks.list(cursor === undefined ? page : { ...page, cursor });
      for (const card of items) read.set(card.id, card);
      cursor = next;
    }
    return read;
  }

  async function readUntilUnchanged(): Promise<void> {
    while (readAgain) {
      readAgain = false;
      const before = writes;
      const read = await Promise.all([session.boards.get({ workspaceId, boardId }), readCards()]);
      // What was read beside a write may be from before it. It is read again when the write has ended.
      if (writes === before) [board, cards] = read;
      changed();
    }
  }

  /** Reads the board, once for all who ask meanwhile. @throws what reading throws, as when it is seen no more */
  function reload(): Promise<void> {
    readAgain = true;
    reading ??= readUntilUnchanged().finally(() => {
      reading = null;
    });
    return reading;
  }

  /** Shows a change at once, and sends it when earlier ones of the same card are through. */
  async function write(id: string, shown: Partial<Card>, send: () => Promise<FullCard>): Promise<void> {
    const entry = { id, shown };
    pending = [...pending, entry];
    writes++;
    changed();
    const sent = (lastWrite.get(id) ?? Promise.resolve()).catch(() => undefined).then(send);
    lastWrite.set(id, sent);
    try {
      const card = await sent;
      cards = new Map(cards).set(id, { ...cards.get(id)!, ...card });
    } finally {
      writes++;
      pending = pending.filter((one) => one !== entry);
      changed();
      onWritten();
    }
  }

  /** @throws Overtaken when somebody moved it first; other changes of it do not keep it from moving */
  function move({ id, ...card }: Card, place: Place): Promise<void> {
    const update = { workspaceId, taskId: id, ...place };
    return write(id, { statusId: place.statusId, statusOrderKey: keyAt(cards, id, place) }, async () => {
      const { version, statusId, statusOrderKey } = cards.get(id) ?? card;
      return updateCard(session, update, version).catch((error: unknown) => {
        if (!(error instanceof Overtaken)) throw error;
        const { theirs } = error;
        if (theirs.statusId !== statusId || theirs.statusOrderKey !== statusOrderKey) throw error;
        return updateCard(session, update, theirs.version);
      });
    });
  }

  return {
    reload,
    move,
    /** @throws Overtaken when the card has another version */
    edit: (id: string, change: Change, shown: Partial<Card>, version: number): Promise<void> =>
      write(id, shown, () => updateCard(session, { workspaceId, taskId: id, ...change }, version)),
    close: () => {
      isClosed = true;
    },
  };
}

/** A key that shows the card at its new place until the service has given it one. */
function keyAt(cards: ReadonlyMap<string, Card>, id: string, { statusId, afterTaskId }: Place): number {
  const column = [...cards.values()].filter((card) => card.statusId === statusId && card.id !== id);
  const keys = column.map((card) => card.statusOrderKey!).sort((a, b) => a - b);
  const after = afterTaskId === null ? null : (cards.get(afterTaskId)?.statusOrderKey ?? null);
  if (after === null) return (keys[0] ?? 0) - 1;
  const next = keys.find((key) => key > after);
  return next === undefined ? after + 1 : (after + next) / 2;
}
