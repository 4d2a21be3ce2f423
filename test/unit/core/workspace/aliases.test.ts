import { expect } from 'chai';
import { operations } from '../../../../adapters/schemas/index.ts';
import { RESERVED_ALIASES } from '../../../../core/workspace/alias.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { fault, newWorld, outcome } from '../../../fixtures/world/world.ts';

const LIKE_AN_ID = '0123abcd-0000-7000-8000-0123456789ab';

describe('the alias of a workspace', () => {
  it('is kept from the words that stand in its place in the paths', () => {
    const words = operations.flatMap(({ path }) => /^\/api\/workspace\/([^/{]+)/.exec(path)?.[1] ?? []);
    expect([...new Set(words)].sort()).to.deep.equal([...RESERVED_ALIASES].sort());
  });

  it('is refused where it could be taken for something else, and gets a suffix where it is derived', async () => {
    const ada = await newWorld().user('Ada');
    for (const alias of [LIKE_AN_ID, ...RESERVED_ALIASES]) {
      expect(await fault(ada.workspaces.create({ name: 'Acme', alias }))).to.equal('invalid-input /alias');
    }
    expect((await ada.workspaces.create({ name: 'Invitation' })).alias).to.equal('invitation-2');
    expect((await ada.workspaces.create({ name: 'INVITATION!' })).alias).to.equal('invitation-3');
    expect((await ada.workspaces.create({ name: LIKE_AN_ID })).alias).to.equal(`${LIKE_AN_ID}-2`);
  });

  it('addresses the workspace in every use case of it, and nothing when it is unknown', async () => {
    const { at, owner, outsider, page } = await newTeam();
    const { id: workspaceId, alias } = await owner.workspaces.get(at);
    const pageId = await page('Docs');
    const here = { workspaceId: alias };
    expect(await owner.pages.get({ ...here, pageId })).to.deep.equal(await owner.pages.get({ ...at, pageId }));
    expect((await owner.pages.update({ ...here, pageId, name: 'Notes' })).workspaceId).to.equal(workspaceId);
    expect(await outcome(outsider.pages.list(here))).to.equal('not-found');
    expect(await outcome(owner.pages.list({ workspaceId: 'unknown' }))).to.equal('not-found');
    await owner.workspaces.delete(here);
    expect(await outcome(owner.workspaces.get(here))).to.equal('not-found');
  });

  it('of an older store works by id alone where it could be taken for something else', async () => {
    const { store, at, owner } = await (async () => {
      const team = await newTeam();
      return { ...team, store: team.world.store };
    })();
    for (const alias of [LIKE_AN_ID, 'invitation']) {
      await store.write(async (tx) => {
        const structure = (await tx.structures.get(at.workspaceId))!;
        await tx.structures.change(structure, { workspace: { ...structure.workspace, alias } });
      });
      expect((await owner.workspaces.get(at)).alias).to.equal(alias);
      expect(await outcome(owner.workspaces.get({ workspaceId: alias }))).to.equal('not-found');
    }
  });
});
