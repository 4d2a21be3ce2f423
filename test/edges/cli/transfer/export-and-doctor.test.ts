import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { openStore } from '../../../../adapters/service/index.ts';
import { join } from 'node:path';
import { identity } from '../../../contract/records.ts';
import { onStore } from '../everyday-target.ts';

describe('Export, import and doctor', () => {
  it('write through symbolic links, and into what is no regular file', async () => {
    const on = await onStore();
    const at = (name: string) => join(on.here.path, name);
    await on.ok(['workspace', 'create', '--name', 'Acme']);
    const isWhole = (text: string) => expect(text).to.match(/^\{"kind":"head".*\n\{"kind":"end".*\n$/s);
    await mkdir(at('kept'));
    await writeFile(at('kept/old.jsonl'), 'old');
    await chmod(at('kept/old.jsonl'), 0o640);
    await symlink('kept/old.jsonl', at('old.jsonl'));
    await symlink('kept/new.jsonl', at('new.jsonl'));
    for (const name of ['old.jsonl', 'new.jsonl']) {
      await on.ok(['export', name, '--workspace', 'acme']);
      expect((await lstat(at(name))).isSymbolicLink(), name).to.equal(true);
      isWhole(await readFile(at(`kept/${name}`), 'utf8'));
    }
    expect((await lstat(at('kept/old.jsonl'))).mode & 0o777).to.equal(0o640);
    expect((await readdir(at('kept'))).toSorted()).to.deep.equal(['new.jsonl', 'old.jsonl']);
    if (process.platform !== 'win32') {
      execFileSync('mkfifo', [at('pipe')]);
      const [text] = await Promise.all([
        readFile(at('pipe'), 'utf8'),
        on.ok(['export', 'pipe', '--workspace', 'acme']),
      ]);
      isWhole(text);
      expect((await lstat(at('pipe'))).isFIFO()).to.equal(true);
      // Nobody reads it any more.
      const stopped = await on.run(['export', 'pipe', '--workspace', 'acme'], { stop: AbortSignal.abort() });
      expect(stopped.code).to.equal(130);
    }
    for (const args of [
      ['export', 'kept', '--workspace', 'acme'],
      ['export', 'nowhere/acme.jsonl', '--workspace', 'acme'],
      ['import', 'kept'],
    ]) {
      const { code, stderr } = await on.run([...args, '--as', 'operator']);
      expect(code, args.join(' ')).to.equal(1);
      expect(stderr).not.to.include('Unexpected');
    }
    await on.close();
  });

  it('move a workspace to another store, and find it sound', async () => {
    const on = await onStore();
    await on.ok(['workspace', 'create', '--name', 'Acme']);
    await on.ok(['board', 'create', '--name', 'Dev']);
    await on.ok(['export', 'acme.jsonl', '--workspace', 'acme']);
    const piped = await on.ok(['export', '-', '--workspace', 'acme', '--as', 'operator']);
    const missing = await on.run(['export', '-', '--workspace', 'Nowhere', '--as', 'operator']);
    expect([missing.code, missing.stdout]).to.deep.equal([3, '']);
    expect(missing.stderr).to.include('Nowhere').and.include('alias');
    const [{ id }] = (await on.ok(['workspace', 'list', '--json'])).json<[{ id: string }]>();
    await on.ok(['export', 'by-id.jsonl', '--workspace', id.toUpperCase(), '--as', 'operator']);
    expect((await on.run(['import', 'acme.jsonl', '--as', 'operator'])).code).to.equal(5);
    const other = { env: { ESPALIER_STORE: 'file:other.db', ESPALIER_AS: 'operator' } };
    await on.ok(['import', '-'], { ...other, stdin: piped.stdout });
    await on.ok(['doctor'], other);
    const none = { stdin: 'not an export\n', env: { ESPALIER_STORE: 'file:none.db', ESPALIER_AS: 'operator' } };
    expect((await on.run(['import', '-'], none)).code).to.equal(2);
    expect(await readdir(on.here.path)).not.to.include('none.db');
    const boards = await on.ok(['board', 'list', '--json'], { env: { ESPALIER_STORE: 'file:other.db' } });
    expect(boards.json<{ name: string }[]>().map(({ name }) => name)).to.deep.equal(['Dev']);
    const cut = await on.run(['import', 'workspace', '-'], { ...other, stdin: piped.stdout.slice(0, 500) });
    expect(cut.code).to.equal(2);
    const empty = await on.run(['import', '-'], { ...other, stdin: '' });
    expect(empty.code).to.equal(2);
    expect(empty.stderr).to.include('Line 1 ');
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
      detail: `signs in a user who does not exist: ${stray.userId}`,
    });
    await on.close();
  });
});
