import { assert, expect } from 'chai';
import * as fc from 'fast-check';
import type { AuditedAccess } from '../../../core/access/audit.ts';
import type { Session } from '../../../core/session.ts';
import { LEVELS, type Level } from '../../../core/model/access/level.ts';
import { outcome } from '../../fixtures/world/world.ts';
import { isBelow, oracle, oracleType, type PlainWorkspace } from './oracle.ts';
import { build, plainWorkspace, WORLDS, type Built } from './plain-workspace.ts';

/** In parts of three. */
async function wholeAudit(person: Session, workspaceId: string): Promise<readonly AuditedAccess[]> {
  const all: AuditedAccess[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { items, next } = await person.access.audit({ workspaceId, limit: 3, ...(cursor && { cursor }) });
    all.push(...items);
    cursor = next;
  }
  return all;
}

const runs = { numRuns: WORLDS };

describe('access over random worlds', function () {
  this.timeout(0);

  it('check, list, member view and explanation are what the design says', async () => {
    await fc.assert(
      fc.asyncProperty(plainWorkspace, async (plain) => {
        const built = await build(plain);
        const at = { workspaceId: built.workspaceId };
        const expected = plain.members.map((_, m) => plain.pages.map((__, p) => oracle(plain, m, p)));
        for (const [m, person] of built.people.entries()) {
          const row = expected[m]!;
          const { role, active, disabled } = plain.members[m]!;
          if (disabled || !active || ![40, 30, 20, 10].includes(role)) {
            expect(await outcome(person.pages.list(at))).to.equal(disabled ? 'unauthenticated' : 'not-found');
            continue;
          }
          const list = new Map((await person.pages.list(at)).map((page) => [page.id, page]));
          for (const [p, pageId] of built.pageIds.entries()) {
            const type = oracleType(plain, m, p);
            const listed = list.get(pageId);
            if (row[p] === 0) {
              expect(listed).to.equal(undefined);
              expect(await outcome(person.pages.get({ ...at, pageId }))).to.equal('not-found');
              continue;
            }
            const page = await person.pages.get({ ...at, pageId });
            expect(listed).to.deep.equal(page);
            expect([page.access, page.accessType]).to.deep.equal([row[p], type]);
            const parent = plain.pages[p]!.parent;
            const hidden = parent !== null && row[parent] === 0;
            expect([page.parentHidden, page.parentId]).to.deep.equal([
              hidden,
              parent === null || hidden ? null : built.pageIds[parent],
            ]);
            const own = await person.access.explain({ ...at, pageId });
            expect([own.access, own.steps.at(-1)?.access]).to.deep.equal([row[p], row[p]]);
            for (const { pageId: at } of own.steps) assert(at === null || row[built.pageIds.indexOf(at)]! > 0);
          }
          if (m > 1) continue;
          const audited = await wholeAudit(person, at.workspaceId);
          const members = await Promise.all(
            [...list.keys()].map(async (pageId) =>
              (await person.access.members({ ...at, pageId })).map((entry) => ({ pageId, ...entry })),
            ),
          );
          const plainEntries = audited.map(({ base: _, from: __, findings: ___, ...entry }) => entry);
          // What stands below a hidden page is listed elsewhere.
          expect(plainEntries).to.have.deep.members(members.flat()).and.have.length(members.flat().length);
        }
        for (const [p, pageId] of built.pageIds.entries()) {
          const view = await built.people[0]!.access.members({ ...at, pageId });
          const active = plain.members.flatMap((member, m) =>
            member.active ? [[built.memberIds[m], expected[m]![p], oracleType(plain, m, p)]] : [],
          );
          expect(view.map(({ memberId, access, type }) => [memberId, access, type])).to.deep.equal(active);
          for (const { memberId, access } of view) {
            const told = await built.people[0]!.access.explain({ ...at, pageId, memberId });
            expect([told.access, told.steps.at(-1)?.access]).to.deep.equal([access, access]);
          }
        }
      }),
      runs,
    );
  });

  it('orderIndex is dense and 0-based among what each one sees', async () => {
    await fc.assert(
      fc.asyncProperty(plainWorkspace, async (plain) => {
        const built = await build(plain);
        for (const person of built.people) {
          const pages = await person.pages.list({ workspaceId: built.workspaceId }).catch(() => []);
          for (const above of [null, ...built.pageIds]) {
            for (const hidden of [false, true]) {
              const siblings = pages.filter((page) => page.parentId === above && page.parentHidden === hidden);
              expect(siblings.map(({ orderIndex }) => orderIndex)).to.deep.equal(siblings.map((_, i) => i));
            }
          }
          const apart = pages.filter(({ parentHidden }) => parentHidden).map(({ id }) => id);
          expect(apart).to.deep.equal(apart.toSorted());
          // What is seen from the top comes first, and parents before children.
          const first = pages.findIndex(({ parentHidden }) => parentHidden);
          assert(
            first < 0 || pages.every(({ parentId, parentHidden }, i) => i < first || parentId !== null || parentHidden),
          );
          for (const [i, { parentId }] of pages.entries()) {
            assert(parentId === null || pages.findIndex(({ id }) => id === parentId) < i);
          }
        }
      }),
      { numRuns: Math.ceil(WORLDS / 4) },
    );
  });

  it('a write at a page changes nothing outside its subtree, an entry for one only theirs', async () => {
    await fc.assert(
      fc.asyncProperty(plainWorkspace, write, async (plain, chosen) => {
        const built = await build(plain);
        const before = await built.matrix();
        const root = chosen.page % plain.pages.length;
        const only = await perform(built, plain, chosen);
        const after = await built.matrix();
        for (const [m, row] of before.entries()) {
          for (const [p, level] of row.entries()) {
            if (isBelow(plain, p, root) && (only === null || only === m)) continue;
            expect(after[m]![p]).to.equal(level);
          }
        }
      }),
      runs,
    );
  });

  it('granting and revoking, and moving and moving back, restore everything', async () => {
    await fc.assert(
      fc.asyncProperty(plainWorkspace, write, async (plain, chosen) => {
        const built = await build(plain);
        const [owner] = built.people;
        const at = { workspaceId: built.workspaceId };
        const state = async () =>
          JSON.stringify([
            await built.matrix(),
            (await owner!.pages.list(at)).map(({ id, parentId, orderIndex }) => [id, parentId, orderIndex]),
          ]);
        const before = await state();
        const p = chosen.page % plain.pages.length;
        const pageId = built.pageIds[p]!;
        const m = chosen.member % plain.members.length;
        const memberId = built.memberIds[m]!;
        if (chosen.kind === 'grant' || chosen.kind === 'revoke') {
          if (plain.pages[p]!.entries.has(m)) return;
          if ((await outcome(owner!.access.grant({ ...at, pageId, memberId, access: chosen.level }))) !== 'ok') return;
          await owner!.access.revoke({ ...at, pageId, memberId });
        } else if (chosen.kind === 'move') {
          const { parentId, orderIndex } = await owner!.pages.get({ ...at, pageId });
          const target = chosen.target === null ? null : built.pageIds[chosen.target % plain.pages.length]!;
          if ((await outcome(owner!.pages.update({ ...at, pageId, parentId: target }))) !== 'ok') return;
          await owner!.pages.update({ ...at, pageId, parentId, orderIndex });
        } else {
          const { inherit, defaultAccess } = await owner!.access.settings({ ...at, pageId });
          await owner!.access.changeSettings({ ...at, pageId, inherit: false, defaultAccess: chosen.level });
          await owner!.access.changeSettings({ ...at, pageId, inherit, defaultAccess });
        }
        expect(await state()).to.equal(before);
      }),
      runs,
    );
  });

  it('a preview is what the move gives', async () => {
    await fc.assert(
      fc.asyncProperty(plainWorkspace, fc.nat(), fc.nat(), fc.option(fc.nat()), async (plain, by, page, target) => {
        const built = await build(plain);
        const at = { workspaceId: built.workspaceId };
        const person = built.people[by % built.people.length]!;
        const p = page % plain.pages.length;
        const pageId = built.pageIds[p]!;
        const parentId = target === null ? null : built.pageIds[target % plain.pages.length]!;
        const before = await built.matrix();
        let preview: Awaited<ReturnType<typeof person.access.preview>>;
        try {
          preview = await person.access.preview({ ...at, pageId, parentId });
        } catch {
          return;
        }
        expect(await built.matrix()).to.deep.equal(before);
        await built.people[0]!.pages.update({ ...at, pageId, parentId });
        const after = await built.matrix();
        const changed = before.flatMap((row, m) =>
          row[p] === after[m]![p] || !plain.members[m]!.active
            ? []
            : [{ memberId: built.memberIds[m], role: plain.members[m]!.role, before: row[p], after: after[m]![p] }],
        );
        expect(preview.changes).to.deep.equal(changed);
      }),
      runs,
    );
  });

  it('moves at the same time make no cycle', async () => {
    const moves = fc.array(fc.tuple(fc.nat(), fc.option(fc.nat())), { minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(plainWorkspace, moves, async (plain, chosen) => {
        const built = await build(plain);
        const at = { workspaceId: built.workspaceId };
        const pick = (n: number) => built.pageIds[n % plain.pages.length]!;
        const results = await Promise.all(
          chosen.map(([page, target]) =>
            outcome(
              built.people[0]!.pages.update({
                ...at,
                pageId: pick(page),
                parentId: target === null ? null : pick(target),
              }),
            ),
          ),
        );
        assert(results.every((result) => result === 'ok' || result === 'page-cycle'));
        expect((await built.people[0]!.pages.list(at)).length).to.equal(plain.pages.length);
      }),
      { numRuns: Math.ceil(WORLDS / 4) },
    );
  });
});

const write = fc.record({
  kind: fc.constantFrom('grant', 'revoke', 'settings', 'move'),
  page: fc.nat({ max: 100 }),
  member: fc.nat({ max: 100 }),
  target: fc.option(fc.nat({ max: 100 })),
  level: fc.constantFrom(...LEVELS),
  inherit: fc.boolean(),
});

interface Write {
  readonly kind: string;
  readonly page: number;
  readonly member: number;
  readonly target: number | null;
  readonly level: Level;
  readonly inherit: boolean;
}

/** Done by the owner. @returns whose access alone may change, null for everyone's */
async function perform(built: Built, plain: PlainWorkspace, chosen: Write): Promise<number | null> {
  const at = { workspaceId: built.workspaceId, pageId: built.pageIds[chosen.page % plain.pages.length]! };
  const [owner] = built.people;
  const m = chosen.member % plain.members.length;
  const memberId = built.memberIds[m]!;
  if (chosen.kind === 'grant') {
    await outcome(owner!.access.grant({ ...at, memberId, access: chosen.level }));
    return m;
  }
  if (chosen.kind === 'revoke') {
    await outcome(owner!.access.revoke({ ...at, memberId }));
    return m;
  }
  if (chosen.kind === 'settings') {
    const settings = chosen.inherit ? { inherit: true } : { inherit: false, defaultAccess: chosen.level };
    await owner!.access.changeSettings({ ...at, ...settings });
  } else {
    const parentId = chosen.target === null ? null : built.pageIds[chosen.target % plain.pages.length]!;
    await outcome(owner!.pages.update({ ...at, parentId }));
  }
  return null;
}
