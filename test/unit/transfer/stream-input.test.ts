import { Readable } from 'node:stream';
import { expect } from 'chai';
import { createClient } from '../../../adapters/client/index.ts';
import { createHttpApp } from '../../../adapters/http/index.ts';
import { createEspalier, type Espalier } from '../../../adapters/service/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { TransferRecord } from '../../../core/model/transfer-record.ts';
import type { Session } from '../../../core/session.ts';

const sink = (): void => undefined;

async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => 'it was taken',
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(EspalierError);
  const { code, errors } = error as EspalierError;
  return [code, ...errors.map(({ pointer }) => pointer)].join(' ');
}

describe('what whole workspaces are exported and imported with', () => {
  let espalier: Espalier;
  let workspaceId: string;
  const sessions: Record<string, Session> = {};
  before(async () => {
    espalier = createEspalier({ store: memoryStore() });
    const { engine, identity } = espalier;
    const ada = await espalier.users.create({ name: 'Ada', email: 'ada@example.org', administrator: true });
    const { token } = await espalier.tokens.createFor({ userId: ada.id, name: 'test' });
    const app = createHttpApp({ engine, identity, ready: () => Promise.resolve() });
    const fetch = (url: string, init: RequestInit) => app.fetch(new Request(url, init));
    sessions['in process'] = espalier.as(ada);
    sessions['through the client'] = createClient({ url: 'http://localhost', token, fetch });
    ({ id: workspaceId } = await espalier.as(ada).workspaces.create({ name: 'Acme' }));
  });
  after(() => espalier.close());

  for (const name of ['in process', 'through the client']) {
    it(`is named where it is missing or of another type, ${name}`, async () => {
      const { changes, exports, imports } = sessions[name]!;
      for (const none of [undefined, null, {}, 5, []]) {
        expect(await refusal(exports.workspace(none as never))).to.equal('invalid-input /workspaceId');
        expect(await refusal(changes.snapshot(none as never).next())).to.equal('invalid-input /workspaceId');
        expect(await refusal(changes.watch(none as never).next())).to.equal('invalid-input /workspaceId');
        expect(await refusal(imports.workspace(none as never))).to.equal('invalid-input /records');
      }
      expect(await refusal(exports.workspace({ workspaceId: 5, sink } as never))).to.equal(
        'invalid-input /workspaceId',
      );
      expect(await refusal(exports.workspace({ workspaceId } as never))).to.equal('invalid-input /sink');
      expect(await refusal(imports.workspace({ records: 'text' } as never))).to.equal('invalid-input /records');
    });

    it(`is an id in whatever case, or an alias, ${name}`, async () => {
      const { exports } = sessions[name]!;
      for (const named of [workspaceId.toUpperCase(), 'acme']) {
        expect((await exports.workspace({ workspaceId: named, sink })).workspace).to.equal(1);
      }
      expect(await refusal(exports.workspace({ workspaceId: 'no such', sink }))).to.equal('not-found');
    });
  }

  it('is refused at the first record that no export has', async () => {
    for (const record of [null, 1, 'x', {}, { kind: 'workspace' }, { kind: 'toString', record: {} }]) {
      const records = [record] as never;
      expect(await refusal(espalier.imports.workspace({ records }))).to.match(
        /^invalid-input \/records\/0(?:\/kind)?$/,
      );
    }
  });

  it('is refused for a field that no record of an export has so, in process as from a file', async () => {
    const exported: TransferRecord[] = [];
    await espalier.operator.exports.workspace({ workspaceId, sink: (record) => void exported.push(record) });
    const wrong: readonly (readonly [field: string, value: unknown])[] = [
      ['name', 5],
      ['name', 'NUL \0'],
      ['name', 'half \uD83C'],
      ['createdAt', '2026-02-30T12:00:00.000Z'],
      ['createdAt', new Date()],
      ['defaultAccess', 50],
      ['version', 2 ** 53],
      ['unknown', true],
    ];
    for (const [field, value] of wrong) {
      const records = exported.map((one) =>
        one.kind === 'workspace' ? { ...one, record: { ...one.record, [field]: value } } : one,
      ) as readonly TransferRecord[];
      const other = createEspalier({ store: memoryStore() });
      const pointer = field === 'unknown' ? '/records/0/record' : `/records/0/record/${field}`;
      const importing = other.imports.workspace({ records: Readable.from(records) });
      expect(await refusal(importing), field).to.equal(`invalid-input ${pointer}`);
      await other.close();
    }
  });
});
