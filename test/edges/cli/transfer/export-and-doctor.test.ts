import { expect } from 'chai';
import { openStore } from '../../../../adapters/service/index.ts';
import { join } from 'node:path';
import { identity } from '../../../contract/records.ts';
import { onStore } from '../everyday-target.ts';

describe('Export, import and doctor', () => {
  it('move a workspace to another store, and find it sound', async () => {
    const on = await onStore();
    await on.ok(['workspace', 'create', '--name', 'Acme']);
    await on.ok(['board', 'create', '--name', 'Dev']);
    await on.ok(['export', 'acme.jsonl', '--workspace', 'acme']);
    const piped = await on.ok(['export', '-', '--workspace', 'acme', '--as', 'operator']);
    expect((await on.run(['import', 'acme.jsonl', '--as', 'operator'])).code).to.equal(5);
    const other = { env: { ESPALIER_STORE: 'file:other.db', ESPALIER_AS: 'operator' } };
    await on.ok(['import', '-'], { ...other, stdin: piped.stdout });
    await on.ok(['doctor'], other);
    const boards = await on.ok(['board', 'list', '--json'], { env: { ESPALIER_STORE: 'file:other.db' } });
    expect(boards.json<{ name: string }[]>().map(({ name }) => name)).to.deep.equal(['Dev']);
    const cut = await on.run(['import', 'workspace', '-'], { ...other, stdin: piped.stdout.slice(0, 500) });
    expect(cut.code).to.equal(2);
    await on.close();
  });

  it('tell what is wrong with a store, also where it is wrong with no workspace', async () => {
    const on = await onStore();
    const store = await openStore(`file:${join(on.here.path, 'here.db')}`);
    const stray = identity('00000000-0000-7000-8000-00000000dead');
    await store.write((tx) => tx.identities.insert(stray));
    await store.close();
    const told = await on.run(['doctor', '--as', 'operator']);
    expect(told.code).to.equal(1);
    expect(told.stdout).to.include(stray.id).and.to.include('identity');
    const { findings } = (await on.run(['doctor', '--json', '--as', 'operator'])).json<{ findings: object[] }>();
    expect(findings).to.deep.include({
      workspaceId: null,
      rule: 'identity',
      id: stray.id,
      detail: `signs in a user who is not there: ${stray.userId}`,
    });
    await on.close();
  });
});
