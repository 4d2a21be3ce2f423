import { expect } from 'chai';
import { createClient } from '../../../adapters/client/index.ts';
import { createHttpApp } from '../../../adapters/http/index.ts';
import { createEspalier, type Espalier } from '../../../adapters/service/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { CallOptions, Session } from '../../../core/session.ts';

/** Each with the pointer of what is refused. */
const UNUSABLE: readonly [options: unknown, pointer: string][] = [
  [{ idempotencyKey: 'order-1' }, '/idempotencyKey'],
  [{ idempotencyKey: null }, '/idempotencyKey'],
  [{ idempotencyKey: { key: 'order-1' } }, '/idempotencyKey'],
  [{ idempotencyKey: { key: '', digest: 'd' } }, '/idempotencyKey'],
  [{ idempotencyKey: { key: 'with a space', digest: 'd' } }, '/idempotencyKey'],
  [{ ifVersion: 1 }, '/ifVersion'],
  [{ ifVersion: ['1'] }, '/ifVersion'],
  [{ ifVersion: [] }, '/ifVersion'],
  [{ ifVersion: null }, '/ifVersion'],
  [{ ifVersion: [{}] }, '/ifVersion'],
  [{ ifVersion: [{ version: 1, boardHidden: 'no' }] }, '/ifVersion'],
  [{ ifVersions: [1] }, '/ifVersions'],
  [{ onCursor: 'cursor' }, '/onCursor'],
  [{ signal: {} }, '/signal'],
  [{ requestId: 5 }, '/requestId'],
  ['order-1', ''],
  [null, ''],
];

describe('the options of a call', () => {
  let espalier: Espalier;
  const sessions: Record<string, Session> = {};
  before(async () => {
    espalier = createEspalier({ store: memoryStore() });
    const { engine, identity } = espalier;
    const ada = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    const { token } = await espalier.tokens.createFor({ userId: ada.id, name: 'test' });
    const app = createHttpApp({ engine, identity, ready: () => Promise.resolve() });
    const fetch = (url: string, init: RequestInit) => app.fetch(new Request(url, init));
    sessions['in process'] = espalier.as(ada);
    sessions['through the client'] = createClient({ url: 'http://localhost', token, fetch });
  });
  after(() => espalier.close());

  for (const name of ['in process', 'through the client']) {
    it(`are refused where they are not of their form, and nothing is written, ${name}`, async () => {
      const session = sessions[name]!;
      const before = await session.workspaces.list();
      for (const [options, pointer] of UNUSABLE) {
        const given = options as CallOptions;
        const events = () => session.changes.watch({ workspaceId: 'acme' }, given).next();
        const items = () => session.changes.snapshot({ workspaceId: 'acme' }, given).next();
        const create = () => session.workspaces.create({ name: 'Acme' }, given);
        for (const call of [create, events, items]) {
          const error: unknown = await call().then(
            () => null,
            (reason: unknown) => reason,
          );
          expect(error, JSON.stringify(options)).to.be.instanceOf(EspalierError).with.property('code', 'invalid-input');
          expect((error as EspalierError).errors.map((one) => one.pointer)).to.deep.equal([pointer]);
        }
      }
      expect(await session.workspaces.list()).to.deep.equal(before);
    });

    it(`have any text as the id of a request, ${name}`, async () => {
      const session = sessions[name]!;
      const named = { requestId: '\u201cnightly\u201d\n1' };
      const { id: workspaceId } = await session.workspaces.create({ name: 'Acme' }, named);
      const items: unknown[] = [];
      for await (const item of session.changes.snapshot({ workspaceId }, named)) items.push(item);
      expect(items).not.to.be.empty;
    });

    it(`may be left undefined, ${name}`, async () => {
      const session = sessions[name]!;
      const undefineds = { ifVersion: undefined, idempotencyKey: undefined, onCursor: undefined, signal: undefined };
      await session.workspaces.create({ name: 'Acme' }, undefineds);
    });
  }
});
