import { codeOf, type Board, type Card, type FullCard, type Listener, type Session } from './session.ts';

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
export type Edit = Omit<Update, 'workspaceId' | 'taskId'>;

/** @throws Overtaken when the card has another version */
export async function updateCard(session: Session, update: Update, version: number): Promise<FullCard> {
  try {
    return await session.tasks.update({ ...update, expand: ['assignees', 'author'] }, { ifVersion: [version] });
  } catch (error) {
    if (codeOf(error) !== 'version-mismatch') throw error;
    const { workspaceId, taskId } = update;
    throw new Overtaken(await session.tasks.get({ workspaceId, taskId, expand: ['author'] }));
  }
}

export type OpenBoard = ReturnType<typeof openBoard>;

/** Cards that are read one by one; where more have changed, the whole board is read. */
const FEW = 20;

/**
 * One board as the service has it, and on top of that the changes that are on their way: what fails is taken off
 * again, which is the whole rollback.
 */
export function openBoard(
  session: Session,
  workspaceId: string,
  boardId: string,
  show: (state: BoardState | null) => void,
) {
  let board: Board | null = null;
  let cards = new Map<string, Card>();
  let pending: readonly { readonly id: string; readonly shown: Partial<Card> }[] = [];
  /** Reads end in the order in which they begin. */
  let reading: Promise<unknown> = Promise.resolve();
  const lastWrite = new Map<string, Promise<unknown>>();

  function changed(): void {
    const now = Array.from(cards.values(), (card) =>
      pending.reduce((before, { id, shown }) => (id === card.id ? { ...before, ...shown } : before), card),
    );
    show(board && { board, cards: now.sort((a, b) => a.statusOrderKey! - b.statusOrderKey!) });
  }

  /** What is read may be older than the answer to a write of this page. */
  const newer = (card: Card): Card => {
    const known = cards.get(card.id);
    return known !== undefined && known.version > card.version ? known : card;
  };

  async function readCards(): Promise<Map<string, Card>> {
    const read = new Map<string, Card>();
    const list = { workspaceId, boardId: [boardId], expand: ['assignees'] as const, limit: 500 };
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { items, next } = await session.tasks.list(cursor === undefined ? list : { ...list, cursor });
      for (const card of items) read.set(card.id, newer(card));
      cursor = next;
    }
    return read;
  }

  /** A board that is seen no more leaves nothing behind. */
  async function readAll(): Promise<void> {
    try {
      [board, cards] = await Promise.all([session.boards.get({ workspaceId, boardId }), readCards()]);
    } catch (error) {
      if (codeOf(error) !== 'not-found') throw error;
      [board, cards] = [null, new Map()];
    }
  }

  async function readCard(taskId: string): Promise<void> {
    try {
      const card = await session.tasks.get({ workspaceId, taskId, expand: ['assignees'] });
      if (card.boardId === boardId) cards.set(taskId, newer(listed(card)));
      else cards.delete(taskId);
    } catch (error) {
      if (codeOf(error) !== 'not-found') throw error;
      cards.delete(taskId);
    }
  }

  const hear: Listener = (changes) => {
    const work = async () => {
      const ofCards = changes.filter(({ type }) => /^(task|comment)\./.test(type));
      const mine = ofCards.map((one) => ({ ...one, id: one.taskId ?? one.id! }));
      const ids = new Set(mine.filter((one) => one.boardId === boardId || cards.has(one.id)).map(({ id }) => id));
      const isWhole = board === null || ids.size > FEW || changes.some((one) => mayShowOrHide(one, boardId));
      if (!isWhole && ids.size === 0) return;
      await (isWhole ? readAll() : Promise.all(Array.from(ids, readCard)));
      changed();
    };
    return (reading = reading.catch(() => undefined).then(work));
  };

  /** Shows a change at once, and sends it when earlier ones of the same card are through. */
  async function write(id: string, shown: Partial<Card>, send: () => Promise<FullCard>): Promise<void> {
    const entry = { id, shown };
    pending = [...pending, entry];
    changed();
    const sent = (lastWrite.get(id) ?? Promise.resolve()).catch(() => undefined).then(send);
    lastWrite.set(id, sent);
    try {
      const card = listed(await sent);
      if (cards.has(id)) cards.set(id, newer({ ...cards.get(id), ...card }));
    } catch (error) {
      if (error instanceof Overtaken) await readCard(id);
      throw error;
    } finally {
      pending = pending.filter((one) => one !== entry);
      changed();
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

  /** @throws Overtaken when the card has another version */
  const edit = (id: string, change: Edit, shown: Partial<Card>, version: number): Promise<void> =>
    write(id, shown, () => updateCard(session, { workspaceId, taskId: id, ...change }, version));

  return { hear, move, edit };
}

/** Whether a change of pages may show or hide cards that it does not name. */
function mayShowOrHide({ type, id, fields }: Parameters<Listener>[0][number], boardId: string): boolean {
  const ofPage = /^page\.(show|hide|delete)$/.test(type) || (type === 'page.update' && fields.includes('access'));
  return type === 'scope' || ofPage || (type === 'board.update' && id === boardId);
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

/** A card as it stands in a list. */
function listed({ comments, checklist, ...card }: FullCard): Card {
  const checklistDone = checklist.filter(({ done }) => done).length;
  return { ...card, commentCount: comments.length, checklistTotal: checklist.length, checklistDone };
}
