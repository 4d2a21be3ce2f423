import { expect } from 'chai';
import { levelsOnAllPages, viewerIn } from '../../../../core/access/viewer.ts';
import type { User } from '../../../../core/model/user/user.ts';
import type { Structure } from '../../../../core/model/workspace/structure.ts';
import { buildStructure } from '../../../../core/tree/build.ts';
import { member, page, user, workspace } from '../../../contract/records.ts';
import { collectGarbage } from '../../../fixtures/garbage.ts';

const PAGES = 4_000;
const MEMBERS = 250;
const REVISIONS = 20;

describe('levels of members on all pages', () => {
  const acme = workspace();
  const users = Array.from({ length: MEMBERS }, () => user());
  const members = users.map(({ id }) => member(acme.id, { userId: id }));
  const pages = Array.from({ length: PAGES }, () => page(acme.id));
  const levelsOf = (structure: Structure, one: User) =>
    levelsOnAllPages(viewerIn(structure, { user: one } as Parameters<typeof viewerIn>[1]));

  it('are computed once, and dropped when those of many members and revisions were asked for since', async () => {
    const revisions = Array.from({ length: REVISIONS }, (_, n) => buildStructure(acme, n + 1, members, pages));
    const first = new WeakRef(await levelsOf(revisions[0]!, users[0]!));
    expect(await levelsOf(revisions[0]!, users[0]!)).to.equal(first.deref());
    for (const structure of revisions) for (const one of users) await levelsOf(structure, one);
    await collectGarbage();
    expect(first.deref()).to.equal(undefined);
    expect(revisions[0]!.revision).to.equal(1);
  });
});
