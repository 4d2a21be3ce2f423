import { inSteps, visitItems } from '../../kernel/stepwise.ts';
import { quotaExceeded, type Quotas, requireWithin } from '../../model/service/quotas.ts';
import type { Member } from '../../model/workspace/member.ts';
import type { Page } from '../../model/workspace/page.ts';
import type { Structure, StructureChange } from '../../model/workspace/structure.ts';
import type { Workspace } from '../../model/workspace/workspace.ts';
import type { Context } from '../../ports/context.ts';
import type { Transaction } from '../../ports/store.ts';
import { yielderOf } from '../../ports/yielder.ts';
import { trashTotals } from '../../trash/totals.ts';
import { buildStructure } from '../../tree/build.ts';
import { nestsTooDeep } from '../../tree/depth.ts';
import { entryCount, sumTotals, TOTALS, totalsDeltaOf, totalsOf } from '../../tree/totals.ts';
import { type QuotasInForce, requireRoom } from './quota-room.ts';
import { requireUnreserved } from '../reservation.ts';
import { StructureWrapper } from '../structure-wrapper.ts';

/** Without a store, as in steps of jobs, reservations do not count. */
export type QuotaContext = Pick<Context, 'quotas' | 'clock' | 'yielder'> &
  Partial<Pick<Context, 'store' | 'reservation'>>;

/**
 * The quota `workspaces` is checked for up to this many joining members. An import with more is not refused because of
 * it.
 */
const FEW_MEMBERS = 16;

/** Structures whose writes are refused where they exceed a quota, or where another call has reserved them. */
export class GuardedStructures extends StructureWrapper {
  readonly #tx: Transaction;
  readonly #inForce: QuotasInForce;
  readonly #taken: ReadonlySet<string>;
  readonly #context: QuotaContext;

  /** @param taken the ids of what the transaction has taken out of the trash */
  constructor(tx: Transaction, inForce: QuotasInForce, taken: ReadonlySet<string>, context: QuotaContext) {
    super(tx.structures);
    this.#tx = tx;
    this.#inForce = inForce;
    this.#taken = taken;
    this.#context = context;
  }

  override async insert(workspace: Workspace, owner: Member): Promise<Structure> {
    await this.#requireRoomOf(owner.userId, await this.#inForce());
    return this.inner.insert(workspace, owner);
  }

  override async open(structure: Structure): Promise<void> {
    await this.#requireRoomForAll(structure);
    await this.inner.open(structure);
  }

  override async change(structure: Structure, change: StructureChange): Promise<Structure> {
    requireUnreserved(this.#context, structure.workspace.id);
    await this.#requireRoomFor(structure, change);
    return this.inner.change(structure, change);
  }

  #requireRoomOf(userId: string, quotas: Quotas): Promise<void> {
    return requireRoom(quotas, 'workspaces', (limit) => this.inner.countOfUser(userId, limit));
  }

  /** For an imported workspace. */
  async #requireRoomForAll(structure: Structure): Promise<void> {
    const quotas = await this.#inForce();
    const { depth } = quotas;
    const nothing = buildStructure(structure.workspace, 0, [], []);
    const pages: Page[] = [];
    const visit = (page: Page): void => {
      requireWithin(quotas, 'pageEntries', 0, entryCount(page));
      pages.push(page);
    };
    await visitItems(structure.pages(), yielderOf(this.#context), visit);
    if (depth !== undefined && (await inSteps(nestsTooDeep(nothing, pages, depth), yielderOf(this.#context)))) {
      throw quotaExceeded('depth', depth);
    }
    const joining: Member[] = [];
    await visitItems(structure.members(), yielderOf(this.#context), (member) => {
      if (member.active && joining.length <= FEW_MEMBERS) joining.push(member);
    });
    if (joining.length <= FEW_MEMBERS) for (const { userId } of joining) await this.#requireRoomOf(userId, quotas);
    const totals = totalsOf(structure);
    for (const name of TOTALS) requireWithin(quotas, name, 0, totals[name]);
  }

  async #requireRoomFor(structure: Structure, change: StructureChange): Promise<void> {
    const quotas = await this.#inForce();
    const { pages = [], members = [], restoredPages = [] } = change;
    const { depth } = quotas;
    const put = restoredPages.length === 0 ? pages : [...pages, ...restoredPages];
    if (depth !== undefined && (await inSteps(nestsTooDeep(structure, put, depth), yielderOf(this.#context)))) {
      throw quotaExceeded('depth', depth);
    }
    const visit = (page: Page): void => {
      const before = structure.page(page.id);
      if (before?.entries === page.entries || this.#taken.has(page.id)) return;
      requireWithin(quotas, 'pageEntries', before === undefined ? 0 : entryCount(before), entryCount(page));
    };
    await visitItems(pages, yielderOf(this.#context), visit);
    const joining = members.filter(({ id, active }) => active && structure.member(id)?.active !== true);
    if (joining.length <= FEW_MEMBERS) for (const { userId } of joining) await this.#requireRoomOf(userId, quotas);
    if (pages.some(({ id }) => this.#taken.has(id))) return;
    const growth = totalsDeltaOf(structure, change);
    const limited = TOTALS.filter((name) => growth[name] > 0 && quotas[name] !== undefined);
    if (limited.length > 0) {
      // What is in the trash counts until it is purged.
      const trashed = { members: 0, ...(await trashTotals(this.#tx, structure.workspace.id)) };
      const before = sumTotals(totalsOf(structure), trashed);
      const after = sumTotals(before, growth);
      for (const name of limited) requireWithin(quotas, name, before[name], after[name]);
    }
  }
}
