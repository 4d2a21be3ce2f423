import type { Route } from './route.ts';
import { codeOf, connect, messageOf } from './session.ts';
import type { Board, Card, Me, Page, Session, Workspace } from './session.ts';

export type Change = Omit<Parameters<Session['tasks']['update']>[0], 'workspaceId' | 'taskId'>;
type ChangeEvent = Awaited<ReturnType<Session['changes']['list']>>['items'][number];

/** Somebody else was faster. */
export class Overtaken extends Error {
  override readonly message = 'Somebody else was faster.';
}

/** How long to wait before a failed request is repeated, in milliseconds. */
const PAUSE = 2_000;

/** All that the page shows, as the service has it: read once, then kept up to date by the events of its workspace. */
export class Records {
  readonly session: Session;
  /** What is wrong with the service. */
  problem = '';
  me: Me | undefined;
  workspaces: readonly Workspace[] | undefined;
  workspace: Workspace | undefined;
  /** Those that are seen, in the order of the tree. */
  pages: readonly Page[] | undefined;
  /** Null: there is none to be seen. Undefined: it is being read. */
  board: Board | null | undefined;
  /** The card that is open. It is kept without its board too, and with its comments and checklist. */
  cardId: string | undefined;
  readonly #onChange: () => void;
  #route: Route = {};
  #levels = new Map<string, number>();
  #names = new Map<string, string>();
  #cards = new Map<string, Card>();
  #pending: readonly { readonly id: string; readonly shown: Partial<Card>; readonly sent: Promise<Card> }[] = [];
  /** Up to where everything is known. Undefined: it has to be read. Null: there is nothing to follow. */
  #cursor: string | null | undefined;
  /** Ends what waits at the moment. */
  #waiting = new AbortController();

  /**
   * @param onChange is called when there is something else to show
   * @param onRefused is called when the token signs nobody in
   */
  constructor(token: string, onChange: () => void, onRefused: () => void) {
    this.session = connect(token, (problem) => this.#tell(problem), onRefused);
    this.#onChange = onChange;
  }

  /** By place in their columns, with the changes that are on their way. O(n log n). */
  get cards(): readonly Card[] {
    const cards = Array.from(this.#cards.values(), (card) =>
      this.#pending.reduce((before, { id, shown }) => (id === card.id ? { ...before, ...shown } : before), card),
    );
    return cards.sort((a, b) => a.statusOrderKey! - b.statusOrderKey!);
  }

  /** What calls about a card name it by. */
  addressOf(taskId: string) {
    return { workspaceId: this.workspace!.id, taskId };
  }

  nameOf(memberId: string | null): string {
    return this.#names.get(memberId ?? '') ?? 'Somebody';
  }

  /** One's level of access on a page. */
  levelOn(pageId: string): number {
    return this.#levels.get(pageId) ?? 0;
  }

  /** Shows another workspace or board. */
  open(route: Route): void {
    this.#route = route;
    this.#forget();
    this.#readAgain();
  }

  /** Reads a card with its comments and checklist. */
  async readCard(taskId: string): Promise<void> {
    const card = await unlessGone(this.session.tasks.get(this.addressOf(taskId)));
    if (card === null) this.#cards.delete(taskId);
    else this.#put(card);
    this.#onChange();
  }

  /**
   * Shows a change at once, and sends it behind earlier ones of the same card. What somebody else made of the card
   * meanwhile does not keep it from being made, unless that is what it is about.
   *
   * @param about the part of the card that the change is about
   * @param base the card that was changed; absent: as it is when earlier changes are through
   * @throws Overtaken
   */
  async update(id: string, change: Change, shown: Partial<Card>, about: (card: Card) => object, base?: Card) {
    const before = this.#pending.findLast((one) => one.id === id)?.sent.catch(() => undefined);
    const sent = Promise.resolve(before).then(() => this.#send(id, change, about, base));
    this.#pending = [...this.#pending, { id, shown, sent }];
    this.#onChange();
    try {
      const card = await sent;
      if (this.#cards.has(id)) this.#put(card);
    } finally {
      this.#pending = this.#pending.filter((one) => one.sent !== sent);
      this.#onChange();
    }
  }

  async #send(id: string, change: Change, about: (card: Card) => object, base = this.#cards.get(id)): Promise<Card> {
    if (base === undefined) throw new Overtaken();
    try {
      return await this.session.tasks.update({ ...this.addressOf(id), ...change }, { ifVersion: [base.version] });
    } catch (error) {
      if (codeOf(error) !== 'version-mismatch') throw error;
      await this.readCard(id);
      const theirs = this.#cards.get(id);
      if (theirs === undefined || differences(about(base), about(theirs)).length > 0) throw new Overtaken();
      return this.#send(id, change, about, theirs);
    }
  }

  /**
   * Reads and follows until the result is called. A page that nobody looks at does not: browsers keep few connections to
   * one service.
   */
  follow(): () => void {
    const end = new AbortController();
    const again = () => this.#waiting.abort();
    for (const event of ['online', 'offline']) addEventListener(event, again, end);
    document.addEventListener('visibilitychange', again, end);
    void this.#follow(end.signal);
    return () => {
      end.abort();
      again();
    };
  }

  async #follow(end: AbortSignal): Promise<void> {
    const onCursor = (cursor: string) => void (this.#cursor = cursor);
    while (!end.aborted) {
      const { signal } = (this.#waiting = new AbortController());
      const since = this.#cursor;
      try {
        if (document.hidden || since === null) await aborted(signal);
        else if (since === undefined) await this.#read();
        else {
          const watched = { workspaceId: this.workspace!.id, since, include: ['record'] as const, signal };
          // An event counts when all that it asks for is done: else it comes again.
          for await (const event of this.session.changes.watch(watched, { onCursor })) await this.#apply(event);
        }
      } catch (error) {
        if (/not-found|unauthenticated|cursor-expired/.test(codeOf(error) ?? '')) this.#forget();
        else this.#tell(messageOf(error));
        // What can be followed no more is read at once.
        if (since === undefined || this.#cursor !== undefined) await aborted(signal, PAUSE);
      }
    }
  }

  async #apply({ type, id, taskId, boardId, record }: ChangeEvent): Promise<void> {
    // Pages, access, members or columns: what else they show or hide is read with them.
    if (!/^(task|comment)/.test(type)) return this.#readAgain();
    const cardId = taskId ?? id!;
    if (boardId !== this.board?.id && !this.#cards.has(cardId)) return undefined;
    if (taskId !== null) return this.readCard(taskId);
    if (record === undefined) this.#cards.delete(cardId);
    else this.#put(record as Card);
    return this.#onChange();
  }

  /** Everything, which is followed from there. */
  #readAgain(): void {
    this.#cursor = undefined;
    this.#waiting.abort();
  }

  async #read(): Promise<void> {
    const { session } = this;
    const route = this.#route;
    let cursor: string | null = null;
    const [me, workspaces] = await Promise.all([this.me ?? session.me.get(), session.workspaces.list()]);
    const workspace = workspaces.find(({ alias }) => alias === route.workspace) ?? workspaces[0];
    const address = workspace && { workspaceId: workspace.id };
    const [pages, members] = await Promise.all([
      address ? session.pages.list(address, { onCursor: (now) => (cursor = now) }) : [],
      address ? session.members.list({ ...address, former: true }) : [],
    ]);
    const page = pages.find(({ id, type }) => type === 'board' && id === (route.board ?? id));
    const read = address && page ? await unlessGone(this.#readBoard({ ...address, boardId: page.id })) : null;
    if (route !== this.#route) return;
    Object.assign(this, { me, workspaces, workspace, pages });
    this.#levels = new Map(pages.map(({ id, access }) => [id, access]));
    this.#names = new Map(members.map(({ id, name }) => [id, name]));
    this.board = read?.board ?? null;
    const before = this.#cards;
    this.#cards = new Map();
    for (const card of read?.cards ?? []) this.#put(card, before.get(card.id));
    if (this.cardId !== undefined) await this.readCard(this.cardId);
    this.#cursor ??= cursor;
    this.#onChange();
  }

  async #readBoard(address: { readonly workspaceId: string; readonly boardId: string }) {
    const cards: Card[] = [];
    const readCards = async () => {
      const list = { ...address, boardId: [address.boardId], limit: 500 };
      for (let cursor: string | null | undefined; cursor !== null;) {
        const { items, next } = await this.session.tasks.list(cursor === undefined ? list : { ...list, cursor });
        cards.push(...items);
        cursor = next;
      }
    };
    const [board] = await Promise.all([this.session.boards.get(address), readCards()]);
    return { board, cards };
  }

  /** What was read may be older than the answer to a change. */
  #put(card: Card, known = this.#cards.get(card.id)): void {
    const isOlder = known?.boardHidden === card.boardHidden && known.version > card.version;
    this.#cards.set(card.id, isOlder ? known : card);
  }

  #forget(): void {
    this.board = this.#cursor = undefined;
    this.#cards = new Map();
    this.#onChange();
  }

  #tell(problem: string): void {
    if (problem === this.problem) return;
    this.problem = problem;
    this.#onChange();
  }
}

/** The fields that are otherwise in `after`, with their values there. The order in lists does not matter. */
export function differences(before: object, after: object): readonly (readonly [field: string, value: unknown])[] {
  const plain = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.map(String).sort() : value);
  return Object.entries(after).filter(([field, value]) => plain(value) !== plain(Reflect.get(before, field)));
}

async function unlessGone<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (codeOf(error) === 'not-found') return null;
    throw error;
  }
}

/** Resolves when a signal is aborted, or after so many milliseconds. */
function aborted(signal: AbortSignal, after?: number): Promise<unknown> {
  const either = after === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(after)]);
  return new Promise((resolve) => (either.aborted ? resolve(null) : either.addEventListener('abort', resolve)));
}
