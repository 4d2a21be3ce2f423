import { expect } from 'chai';
import { memoryStore } from '../../adapters/store-memory/index.ts';
import type { Page } from '../../core/model/workspace/page.ts';
import { newWorld, personOf } from '../../test/fixtures/world/world.ts';
import { recordsOf } from './records.ts';
import { CALLER, namesOf, SMALL, type Shape } from './shape.ts';
import { pagesOf } from './tree.ts';
import { treeShape } from './tree-shape.ts';

const AT = '2026-01-01T00:00:00.000Z';

function depths(pages: readonly Page[]): number[] {
  const known = new Map<string, number>();
  return pages.map((page) => {
    const depth = page.parentId === null ? 1 : known.get(page.parentId)! + 1;
    known.set(page.id, depth);
    return depth;
  });
}

describe('worlds of the bench', () => {
  it('have as many pages as they say, as deep as they say', () => {
    const shape = treeShape(10_000, 0);
    const pages = pagesOf(shape, AT);
    expect(pages).to.have.length(10_000);
    expect(Math.max(...depths(pages))).to.equal(8);
    const entries = pages.reduce((sum, page) => sum + Object.keys(page.entries).length, 0);
    expect(entries).to.be.within(1_990, 2_001);
  });

  it('can have everything but one board under one folder', () => {
    const shape: Shape = { ...SMALL, boards: 10, folders: 92, depth: 8, apart: true };
    const names = namesOf(shape);
    const pages = pagesOf(shape, AT);
    const below = new Set([names.page(11)]);
    for (const page of pages) if (page.parentId !== null && below.has(page.parentId)) below.add(page.id);
    const beside = pages.filter((page) => !below.has(page.id)).map((page) => page.id);
    expect(beside).to.have.members([names.board(0), names.page(10)]);
    expect(Math.max(...depths(pages))).to.equal(8);
  });

  for (const shape of [
    SMALL,
    { ...SMALL, tasks: 200, boards: 10, spread: 'share' },
    { ...SMALL, tasks: 30, spread: 'columns' },
  ] satisfies Shape[]) {
    it(`hold together, and their caller sees all of them: ${shape.spread}`, async () => {
      const { engine, operator } = newWorld(memoryStore());
      await engine.imports.workspace({ caller: { kind: 'operator' } }, { records: recordsOf(shape) });
      expect(await operator.doctor.check()).to.deep.include({ findings: [] });
      const names = namesOf(shape);
      const caller = personOf(engine, names.user(CALLER), 'Caller');
      const { total } = await caller.tasks.list({ workspaceId: names.workspaceId, count: true, limit: 1 });
      expect(total).to.equal(shape.tasks);
      const pages = await caller.pages.list({ workspaceId: names.workspaceId });
      expect(pages).to.have.length(shape.boards + shape.folders);
    });
  }
});
