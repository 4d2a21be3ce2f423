import { NEVER_YIELD } from '../../core/ports/yielder.ts';
import { effective, resolverAt, principalOf, type Principal } from '../../core/access/resolve.ts';
import { atOnce } from '../../core/kernel/stepwise.ts';
import { type Viewer, viewerAfter } from '../../core/access/viewer.ts';
import type { Member } from '../../core/model/workspace/member.ts';
import { pageViews } from '../../core/page/view.ts';
import { buildStructure, changeStructure } from '../../core/tree/build.ts';
import type { Structure } from '../../core/model/workspace/structure.ts';
import type { User } from '../../core/model/user/user.ts';
import type { Workspace } from '../../core/model/workspace/workspace.ts';
import { median } from '../figures.ts';
import type { Part } from '../part.ts';
import { judged } from '../row.ts';
import { recordsOf } from '../world/records.ts';
import type { Shape } from '../world/shape.ts';
import { treeShape } from '../world/tree-shape.ts';

/** Access in the core, without a store: absolute figures. */
export const corePart: Part = {
  name: 'core',
  async run(scale) {
    const shape = treeShape(scale.pages, 0);
    const { structure, viewers } = await structureOf(shape);
    const standings = viewers.map(({ principal }) => principal);
    const ids = [...structure.pages()].map((page) => page.id);
    const rounds = scale.name === 'smoke' ? 1 : 5;
    const checks = scale.name === 'smoke' ? 100 : 100_000;
    const asked = ids.slice(0, 1_000);
    const every = (work: () => void) => median(Array.from({ length: rounds + 1 }, () => time(work)).slice(1));

    const check = every(() => {
      for (let i = 0; i < checks; i += 1) {
        effective(structure, standings[i % standings.length]!, ids[(i * 7_919) % ids.length]!);
      }
    });
    const everyone = every(() => {
      for (let i = 0; i < asked.length; i += 1) {
        const levelOf = atOnce(resolverAt(structure, ids[(i * 7_919) % ids.length]!));
        for (const principal of standings) levelOf(principal);
      }
    });
    // Every list is the first of its member on a structure that is new, as after a change: nothing is known yet.
    const firsts: number[] = [];
    const lists: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const fresh = changeStructure(structure, {});
      for (const [i, viewer] of viewers.entries()) {
        const micros = await timeOf(() => pageViews(viewerAfter(viewer, fresh)));
        if (round > 0) (i === 0 ? firsts : lists).push(micros);
      }
    }
    const tree = `${ids.length} pages of depth ${shape.depth}, ${shape.members} members, ${shape.entries} entries`;
    return [
      judged({
        name: 'core-check',
        work: `one access check in core: ${tree}`,
        unit: 'us',
        figure: check / checks,
        target: { atMost: 2 },
      }),
      judged({
        name: 'core-page-list',
        work: 'page list of a member in core',
        unit: 'us',
        figure: median(lists),
        target: { atMost: 1_000 },
        beside: { 'the first after a change of the structure, us': median(firsts) },
      }),
      judged({
        name: 'core-everyone',
        work: 'levels of all members on a page in core',
        unit: 'us',
        figure: everyone / asked.length,
        target: { atMost: 25 },
      }),
    ];
  },
};

/** Microseconds. */
function time(work: () => void): number {
  const began = performance.now();
  work();
  return (performance.now() - began) * 1000;
}

/** Microseconds, of work that is done at once but ends with a promise. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) * 1000;
}

async function structureOf(shape: Shape): Promise<{ structure: Structure; viewers: Viewer[] }> {
  const users: User[] = [];
  const members: Member[] = [];
  const pages = [];
  let workspace: Workspace | null = null;
  for await (const { kind, record } of recordsOf(shape)) {
    if (kind === 'workspace') workspace = record;
    else if (kind === 'user') users.push({ ...record, administrator: false, disabled: false });
    else if (kind === 'member') members.push(record);
    else if (kind === 'page') pages.push(record);
  }
  const structure = buildStructure(workspace!, 1, members, pages);
  const viewers = members.map((member, i): Viewer => {
    const user = users[i]!;
    return {
      user,
      member,
      principal: principalOf(member, user) as Principal,
      structure,
      yielder: NEVER_YIELD,
      levels: new Map(),
      levelsOfOthers: null,
    };
  });
  return { structure, viewers };
}
