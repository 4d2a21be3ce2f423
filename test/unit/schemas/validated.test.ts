import { expect } from 'chai';
import { createEspalier, type Espalier } from '../../../adapters/service/index.ts';
import { operations, validated } from '../../../adapters/schemas/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { useCases } from '../../../core/use-cases.ts';
import { failure } from '../../fixtures/errors.ts';

/** Streams, and what takes nothing at all. */
const WITHOUT_ROW = ['changes.snapshot', 'changes.watch', 'imports.workspace', 'exports.workspace', 'doctor.check'];

describe('the library checks its input', () => {
  let espalier: Espalier;
  let ada: ReturnType<Espalier['as']>;
  before(async () => {
    espalier = createEspalier({ store: memoryStore() });
    ada = espalier.as(await espalier.users.create({ name: 'Ada', email: 'ada@example.org' }));
  });
  after(() => espalier.close());

  it('for every use case that takes JSON', () => {
    const all = Object.entries(useCases).flatMap(([noun, verbs]) =>
      Object.keys(verbs).map((verb) => `${noun}.${verb}`),
    );
    expect([...operations.map(({ useCase }) => useCase), ...WITHOUT_ROW].sort()).to.deep.equal(all.sort());
  });

  it('does not start with a use case that nothing describes', () => {
    const { engine } = createEspalier({ store: memoryStore() });
    const pages = { ...engine.pages, burn: () => Promise.resolve() };
    expect(() => validated({ ...engine, pages })).to.throw('pages.burn');
  });

  it('in two turns of the event loop if there are very many values, and else at once', async () => {
    const othersRan = async (count: number): Promise<boolean> => {
      let ran = false;
      setImmediate(() => (ran = true));
      const tasks = Array.from({ length: count }, () => ({ boardId: '', title: '', externalId: '', description: '' }));
      await failure(ada.tasks.createMany({ workspaceId: 'acme', tasks }));
      return ran;
    };
    expect([await othersRan(1_000), await othersRan(10)]).to.deep.equal([true, false]);
  });

  it('names every field at fault', async () => {
    const input = { name: ' ', alias: '-', defaultAccess: 250, surprise: 1 };
    const { code, errors } = await failure(ada.workspaces.create(input as never));
    expect(code).to.equal('invalid-input');
    expect(new Set(errors.map(({ pointer }) => pointer))).to.deep.equal(
      new Set(['/name', '/alias', '/defaultAccess', '/surprise']),
    );
  });

  it('says one thing of a field that is not of its form, whatever its length', async () => {
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Forms' });
    const input = { workspaceId, email: 'x', expiresAt: 'soon' };
    const { errors } = await failure(ada.invitations.create(input));
    expect(errors.map(({ pointer }) => pointer)).to.deep.equal(['/email', '/expiresAt']);
    const listed = await failure(ada.tasks.list({ workspaceId, boardId: ['x', 'y'] }));
    expect(listed.errors.map(({ pointer }) => pointer)).to.deep.equal(['/boardId/0', '/boardId/1']);
  });

  it('trims names, measures what is left, and leaves the objects of the caller alone', async () => {
    const input = Object.freeze({ name: `  ${'x'.repeat(200)}  ` });
    const workspace = await ada.workspaces.create(input);
    expect(workspace.name).to.equal('x'.repeat(200));
    expect(input.name).to.have.length(204);
    for (const name of ['x'.repeat(201), ` ${'x'.repeat(201)} `, '  ']) {
      expect((await failure(ada.workspaces.create({ name }))).code).to.equal('invalid-input');
    }
    expect((await ada.workspaces.create({ name: '😀'.repeat(200) })).name).to.equal('😀'.repeat(200));
  });

  it('takes undefined for absent', async () => {
    const workspace = await ada.workspaces.create({ name: 'Acme', alias: undefined } as never);
    expect(workspace.alias).to.equal('acme');
    expect((await failure(ada.workspaces.create(undefined as never))).code).to.equal('invalid-input');
    expect(await ada.workspaces.list()).not.to.have.length(0);
  });

  it('has nothing at an id that is none, where it says what the call is about', async () => {
    expect((await failure(ada.workspaces.get({ workspaceId: 'none' }))).code).to.equal('not-found');
    expect((await failure(ada.workspaces.get({} as never))).code).to.equal('invalid-input');
    expect((await failure(ada.workspaces.get({ workspaceId: 7 } as never))).code).to.equal('invalid-input');
  });

  it('finds only the first error in an input that is large', async () => {
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Large' });
    const tasks = Array.from({ length: 200_000 }, () => 0);
    const { errors } = await failure(ada.tasks.createMany({ workspaceId, tasks } as never));
    expect(errors).to.have.length(1);
  });
});
