import { createClient, EspalierError } from 'espalier/client';
import type { BoardView, ChangeEvent, Level, ListTasks, MemberView, PageView } from 'espalier/client';
import type { Session, TaskSummary, TaskView, UpdateTask, WorkspaceView } from 'espalier/client';
import { isIn, routeNow, type Route } from './address.ts';

/** A card as a list has it, or read by itself, with its comments, checklist and links. */
export type Card = Omit<TaskView, 'comments' | 'checklist' | 'links'> & Partial<TaskView & TaskSummary>;

/** The longest time before what failed is tried again, in milliseconds: the network may be back at any moment. */
const PAUSE = 3_000;

/** The page that decides what may be done with a card. */
export const pageOf = ({ pageId, boardId }: Card) => pageId ?? boardId!;

/** All that the page shows, as the service has it: read once, then kept up to date by the events of its workspace. */
export class Records {
  readonly session: Session;
  /** What is wrong with the service. */
  problem = '';
  /** What happened to a card. It does not outlast the card. */
  said: Readonly<{ id: string; text: string; isWrong: boolean }> | undefined;
  me: Awaited<ReturnType<Session['me']['get']>> | undefined;
  workspaces: readonly WorkspaceView[] | undefined;
  workspace: WorkspaceView | undefined;
  members: readonly MemberView[] = [];
  /** Those that are seen, in the order of the tree. */
  pages: readonly PageView[] | undefined;
  /** Null: there is none to be seen. Undefined: it is being read. */
  board: BoardView | null | undefined;
  readonly #onChange: () => void;
  #frame = 0;
  #route: Route = {};
  #cards = new Map<string, Card>();
  /** What is on its way to the service. */
  pending: readonly Readonly<{ id: string; shown: Partial<Card>; sent: Promise<unknown> }>[] = [];
  /** Up to where everything is known. Undefined: it has to be read. Null: there is nothing to follow. */
  #cursor: string | null | undefined;
  /** How often something was lost from sight, or may have been. An answer that was on its way then tells of before. */
  #losses = 0;
  /** Ends what waits at the moment. */
  #waiting = new AbortController();

  /** Calls the functions when there is something else to show, and when the token signs nobody in. */
  constructor(token: string, onChange: () => void, onRefused: () => void) {
    this.#onChange = onChange;
    const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.min(ms, PAUSE)));
    const observed = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init).catch((error: Error) => {
        if (error.name !== 'AbortError') this.#show({ problem: 'The service cannot be reached.' });
        throw error;
      });
      if (response.status === 401) onRefused();
      if (response.ok && this.problem !== '') this.#show({ problem: '' });
      return response;
    };
    this.session = createClient({ url: new URL('..', import.meta.url).href, token, sleep, fetch: observed });
  }

  /** By place in their columns, with the changes that are on their way. O(n log n). */
  get cards(): readonly Card[] {
    const shown = (card: Card) =>
      this.pending.reduce((to, one) => (one.id === card.id ? { ...to, ...one.shown } : to), card);
    return Array.from(this.#cards.values(), shown).sort((a, b) => a.statusOrderKey! - b.statusOrderKey!);
  }

  nameOf = (memberId: string | null) => this.members.find(({ id }) => id === memberId)?.name ?? 'Somebody';

  /** Names what one has written somewhere, unlike what others have, who signed in before. */
  draftAt = (place: string) => `${this.me!.id} ${place}`;

  /** Whether one has a level of access on a page. */
  may = (level: Level, pageId: string) => this.pages!.some(({ id, access }) => id === pageId && access >= level);

  /** Shows another workspace or board. */
  open(route: Route): void {
    this.#route = route;
    this.#forget();
    this.#readAgain();
  }

  /** Reads a card with its comments, checklist and links. */
  async readCard(taskId: string): Promise<void> {
    const losses = this.#losses;
    const card = await this.session.tasks.get({ workspaceId: this.workspace!.id, taskId }).catch((error: unknown) => {
      if (codeOf(error) !== 'not-found') throw error;
    });
    return losses === this.#losses ? this.#put(taskId, card) : this.readCard(taskId);
  }

  async add({ id: boardId, workspaceId }: BoardView, statusId: string, title: string): Promise<void> {
    const losses = this.#losses;
    const card = await this.session.tasks.create({ workspaceId, boardId, statusId, title });
    if (losses === this.#losses && boardId === this.board?.id) this.#put(card.id, card);
    this.#say(card, 'added.');
  }

  /** Puts a card of the board behind another one of a column, null: to its start. */
  async move(id: string, statusId: string, afterTaskId: string | null): Promise<void> {
    const status = this.board?.statuses.find((one) => one.id === statusId);
    const column = this.cards.filter((one) => one.statusId === statusId);
    const after = column.findIndex((one) => one.id === afterTaskId);
    if (!status || !this.#cards.has(id) || column[after + 1]?.id === id) return;
    // A key that shows it at its place until the service has given it one.
    const shown = { statusId, statusOrderKey: (column[after]?.statusOrderKey ?? -Infinity) + 0.5 };
    await this.update(id, { statusId, afterTaskId }, shown, `moved to ${status.name}`).catch(() => undefined);
  }

  /**
   * Changes a card, unless somebody else has changed the same of it. Says how that went, also to who has closed the card.
   *
   * @param shown the fields that are changed, as they are to be
   * @param done what then was done to it
   * @param base the card that was changed; absent: as it is when earlier changes are through
   * @returns the card as somebody else made it, where that is in the way
   */
  update(id: string, change: Partial<UpdateTask>, shown: Partial<Card>, done: string, base?: Card) {
    const card = this.#cards.get(id)!;
    const send = async (from = this.#cards.get(id)): Promise<Card | void> => {
      if (from === undefined) return;
      try {
        const named = { workspaceId: from.workspaceId, taskId: id, ...change };
        const changed = await this.session.tasks.update(named, { ifVersion: [from] });
        if (this.#cards.has(id)) this.#put(id, changed);
      } catch (error) {
        if (codeOf(error) !== 'version-mismatch') throw error;
        await this.readCard(id);
        const theirs = this.#cards.get(id);
        // Who made it what it is to be, as by a change whose answer was lost, is not in the way.
        const open = theirs && new Map(differences(theirs, shown));
        return open && differences(from, theirs).some(([field]) => open.has(field)) ? theirs : send(theirs);
      }
    };
    const sent = this.meanwhile(id, shown, () => send(base));
    sent.then(
      (theirs) => this.#say(card, theirs ? `not ${done}. Somebody else was faster.` : `${done}.`, theirs !== undefined),
      (error: unknown) => this.#say(card, `not ${done}. ${messageOf(error)}`, true),
    );
    return sent;
  }

  /** Shows something of a card at once, and sends that behind what is on its way for the card. */
  meanwhile<T>(id: string, shown: Partial<Card>, send: () => Promise<T>): Promise<T> {
    const before = this.pending.findLast((one) => one.id === id)?.sent.catch(() => undefined);
    const sent = Promise.resolve(before).then(send);
    this.#show({ pending: [...this.pending, { id, shown, sent }] });
    return sent.finally(() => this.#show({ pending: this.pending.filter((one) => one.sent !== sent) }));
  }

  /** Reads and follows until it is ended. Not while nobody looks: browsers keep few connections to a service. */
  async follow(end: AbortSignal): Promise<void> {
    const again = () => this.#waiting.abort();
    for (const event of ['online', 'offline', 'visibilitychange']) addEventListener(event, again, { signal: end });
    const onCursor = (cursor: string) => void (this.#cursor = cursor);
    while (!end.aborted) {
      // It may be another day than when it was last looked at.
      this.#show();
      this.#waiting = new AbortController();
      const signal = AbortSignal.any([end, this.#waiting.signal]);
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
        if (codeOf(error) === 'cursor-expired') this.#cursor = undefined;
        else if (codeOf(error) === 'not-found') this.#forget();
        else this.#show({ problem: messageOf(error) });
        // Nothing stays under a refused token but a card in which something is written.
        if (codeOf(error) === 'unauthenticated') this.#show({ workspaces: undefined, board: undefined });
        // What can be followed no more is read at once.
        if (since === undefined || this.#cursor !== undefined)
          await aborted(AbortSignal.any([signal, AbortSignal.timeout(PAUSE)]));
      }
    }
  }

  async #apply({ type, id, taskId, boardId, record }: ChangeEvent): Promise<void> {
    // Pages, access, members or columns: what else they show or hide is read with them.
    if (!/^(task|comment)/.test(type)) {
      if (/hide|delete/.test(type)) this.#remove(id!);
      return this.#readAgain();
    }
    const before = this.#cards.get(taskId ?? id!);
    const isHere = before !== undefined || boardId === this.board?.id;
    if (taskId !== null) return isHere ? this.readCard(taskId) : undefined;
    const card = record as TaskView | undefined;
    if (isHere || !card) this.#put(id!, card);
    // That it is complete, or there, is no event of those that it is linked to.
    const isLinked = ({ blocked, childCount, links = [] }: Card) => blocked || childCount + links.length > 0;
    if (card ? isLinked(card) && before?.complete !== card.complete : [...this.#cards.values()].some(isLinked))
      this.#readAgain();
  }

  /** Takes a page away, and what is below it and on those, before it is known what of that is still to be seen. */
  #remove(pageId: string): void {
    const gone = new Set([pageId]);
    for (const { id, parentId } of this.pages!) if (gone.has(parentId!)) gone.add(id);
    this.pages = this.pages!.filter(({ id }) => !gone.has(id));
    this.#cards = new Map([...this.#cards].filter(([, card]) => !gone.has(pageOf(card))));
    this.#show(this.board && gone.has(this.board.id) ? { board: undefined } : {});
  }

  /** Everything, which is followed from there. */
  #readAgain(): void {
    this.#losses += 1;
    this.#cursor = undefined;
    this.#waiting.abort();
  }

  async #read(): Promise<void> {
    const route = this.#route;
    let cursor: string | null = null;
    const [me, workspaces] = await Promise.all([this.me ?? this.session.me.get(), this.session.workspaces.list()]);
    const workspace = workspaces.find((one) => isIn(one, route));
    const [pages, members] = await Promise.all([
      workspace ? this.session.pages.list({ workspaceId: workspace.id }, { onCursor: (now) => (cursor = now) }) : [],
      workspace ? this.session.members.list({ workspaceId: workspace.id, former: true }) : [],
    ]);
    const page = pages.find(({ id, type }) => type === 'board' && id === (route.board ?? id));
    const [board, cards] = await Promise.all([
      page ? this.session.boards.get({ workspaceId: page.workspaceId, boardId: page.id }) : null,
      page ? this.readCards({ workspaceId: page.workspaceId, boardId: [page.id], limit: 500 }) : [],
    ]);
    if (route !== this.#route) return;
    this.#losses += 1;
    // The card that is open stays until it is read by itself, without its board too.
    const open = this.#cards.get(routeNow().card!);
    this.#cards = new Map([...cards, open ?? []].flat().map((card) => [card.id, card]));
    this.#show({ me, workspaces, workspace, pages, members, board });
    if (open) await this.readCard(open.id);
    if (route === this.#route) this.#cursor = cursor;
  }

  /** All cards that a list has, however many. */
  async readCards(list: ListTasks): Promise<readonly Card[]> {
    const { items, next } = await this.session.tasks.list(list);
    return next === null ? items : [...items, ...(await this.readCards({ ...list, cursor: next }))];
  }

  /** What was read may be older than the answer to a change. Without a card: it is gone. */
  #put(id: string, card: Card | void): void {
    const known = this.#cards.get(id);
    if (!card) {
      this.#losses += 1;
      this.#cards.delete(id);
    } else if (known?.boardHidden !== card.boardHidden || known.version <= card.version) this.#cards.set(id, card);
    this.#show();
  }

  #forget(): void {
    this.#losses += 1;
    this.#cards = new Map();
    this.#cursor = undefined;
    this.#show({ board: undefined });
  }

  #say = ({ id, title }: Card, what: string, isWrong = false) =>
    this.#show({ said: { id, text: `${title}: ${what}`, isWrong } });

  #show(change: Partial<Records> = {}): void {
    Object.assign(this, change);
    if (this.said !== undefined && !this.#cards.has(this.said.id)) this.said = undefined;
    // Once a frame, however many events come.
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(this.#onChange);
  }
}

/** The code of an error of the service; undefined for another one. */
const codeOf = (error: unknown) => (error instanceof EspalierError ? error.code : undefined);

/** A time, by default now, where the reader is: `2026-11-30 14:05:09`. */
export const timeHere = (at: string | number = Date.now()) => new Date(at).toLocaleString('sv');

export const messageOf = (error: unknown) => (error instanceof EspalierError ? error.detail : (error as Error).message);

/** The fields that are otherwise in `after`, with their values there. The order in lists does not matter. */
export function differences(before: object, after: object): readonly (readonly [field: string, value: unknown])[] {
  const plain = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.map(String).sort() : value);
  return Object.entries(after).filter(([field, value]) => plain(value) !== plain(Reflect.get(before, field)));
}

const aborted = (signal: AbortSignal) =>
  new Promise((resolve) => (signal.aborted ? resolve(null) : signal.addEventListener('abort', resolve)));
