import { expect } from 'chai';
import type { RequestContext } from '../../../../adapters/http/request/request-context.ts';
import { idempotencyKeyOf } from '../../../../adapters/http/request/idempotency.ts';
import { requestFields, inputReader } from '../../../../adapters/http/request/input.ts';
import { operations, pathFields } from '../../../../adapters/schemas/index.ts';
import { refusal, refusalOf } from '../refusal.ts';

const WORKSPACE = '01a1fe8a-0fd6-71d7-b024-962fb6c497d0';
const BOARD = '01a1fe8a-1004-70ce-ae88-9a47e31228af';

function requestContext(
  params: Record<string, string>,
  given: { body?: unknown; raw?: string; search?: string } = {},
): RequestContext {
  const body = given.raw ?? (given.body === undefined ? null : JSON.stringify(given.body));
  const headers = { 'content-type': 'application/json' };
  const request = new Request('http://x', { method: 'POST', headers, body });
  return { request, incoming: undefined, params, search: given.search ?? '' } as unknown as RequestContext;
}

const reader = (name: string) => {
  const read = inputReader(operations.find(({ useCase }) => useCase === name)!);
  return async (context: RequestContext, limit: number) => read(context, limit, () => Promise.resolve());
};
const at = { id: WORKSPACE, boardId: BOARD };

describe('the input of a use case', () => {
  it('is put together from path, query and body', async () => {
    const found = await reader('tasks.list')(requestContext({ id: WORKSPACE }, { search: '?limit=5' }), 100);
    expect(found.input).to.deep.equal({ workspaceId: WORKSPACE, limit: 5 });
    expect(found.body).to.have.length(0);
    const read = await reader('boards.update')(requestContext(at, { body: { name: 'B' } }), 100);
    expect(read.input).to.deep.equal({ workspaceId: WORKSPACE, boardId: BOARD, name: 'B' });
    expect(new TextDecoder().decode(read.body)).to.equal('{"name":"B"}');
  });

  it('takes the ids of the path decoded, and as they are where they cannot be', async () => {
    for (const [text, id] of [
      ['a%2Fb', 'a/b'],
      ['%zz', '%zz'],
      ['%C3%A4', 'ä'],
    ] as const) {
      const { input } = await reader('boards.get')(requestContext({ id: text, boardId: BOARD }), 100);
      expect(input['workspaceId']).to.equal(id);
    }
  });

  it('may name the ids of the path again where they are read, and no others', async () => {
    const put = (body: object) => refusalOf(reader('boards.update')(requestContext(at, { body }), 1_000));
    expect(await put({ workspaceId: WORKSPACE })).to.equal('ok');
    expect(await put({ workspaceId: WORKSPACE.toUpperCase() })).to.equal('ok');
    expect(await put({ workspaceId: BOARD })).to.equal('invalid-input /workspaceId');
    expect(await put({ workspaceId: null })).to.equal('invalid-input /workspaceId');
    expect(await put({ workspaceId: [WORKSPACE] })).to.equal('invalid-input /workspaceId');
    const board = reader('boards.update')(requestContext(at, { body: { workspaceId: WORKSPACE, name: 'B' } }), 1_000);
    expect((await board).input).to.deep.equal({ workspaceId: WORKSPACE, boardId: BOARD, name: 'B' });
    expect(await put({ boardId: BOARD })).to.equal('invalid-input /boardId');
    const post = reader('boards.create')(
      requestContext({ id: WORKSPACE }, { body: { workspaceId: WORKSPACE } }),
      1_000,
    );
    expect(await refusalOf(post)).to.equal('invalid-input /workspaceId');
  });

  it('needs a body that is an object, where there is anything to say', async () => {
    for (const raw of ['', 'null', '[]', '"x"', '1', 'true']) {
      expect(await refusalOf(reader('boards.create')(requestContext({ id: WORKSPACE }, { raw }), 100)), raw).to.equal(
        'invalid-input ',
      );
    }
    const join = reader('invitations.join');
    expect((await join(requestContext({ invitationId: BOARD }), 100)).input).to.deep.equal({ invitationId: BOARD });
    expect(await refusalOf(join(requestContext({ invitationId: BOARD }, { raw: 'null' }), 100))).to.equal(
      'invalid-input ',
    );
  });

  it('takes no query beside a body', async () => {
    const given = requestContext({ id: WORKSPACE }, { body: { name: 'B' }, search: '?name=C' });
    expect(await refusalOf(reader('boards.create')(given, 100))).to.equal('invalid-input /name');
  });

  it('lies where the method has it', () => {
    for (const operation of operations) {
      const { path, query, body } = requestFields(operation);
      const hasBody = operation.method === 'POST' || operation.method === 'PUT';
      const elsewhere = Object.keys(hasBody ? query : body).filter((name) => name !== 'expand');
      expect(elsewhere, operation.useCase).to.deep.equal([]);
      const all = [...Object.keys(path), ...Object.keys(query), ...Object.keys(body)];
      expect([...new Set(all)].sort()).to.deep.equal(Object.keys(operation.input.properties).sort());
      expect(Object.keys(path).sort(), operation.useCase).to.deep.equal(pathFields(operation.path).sort());
    }
  });

  it('shows in the body of a PUT, read-only, the ids of the path that the record has', () => {
    for (const operation of operations.filter(({ method }) => method === 'PUT')) {
      const { path, body } = requestFields(operation);
      const { properties } = operation.output as unknown as { properties: Readonly<Record<string, unknown>> };
      const shown = Object.entries(body).filter(([name]) => Object.hasOwn(path, name));
      expect(shown.map(([name]) => name).sort()).to.deep.equal(
        Object.keys(path)
          .filter((name) => Object.hasOwn(properties, name))
          .sort(),
      );
      for (const [name, schema] of shown) {
        expect(schema, name).to.deep.include({ readOnly: true, type: (path[name] as { type?: string }).type });
      }
    }
  });
});

describe('the key of a POST', () => {
  const once = (key: string | null, method = 'POST', path = '/a', search = '') => {
    const headers: Record<string, string> = key === null ? {} : { 'idempotency-key': key };
    const responseHeaders: Record<string, string> = {};
    const request = new Request('http://x', { method, headers });
    const given = idempotencyKeyOf(
      { request, path, search, responseHeaders } as unknown as RequestContext,
      () => 'digest',
    );
    return { given, responseHeaders };
  };

  it('is there when it is given, and for POST alone', () => {
    expect(once(null).given).to.equal(undefined);
    expect(once('k', 'PUT').given).to.equal(undefined);
    expect(once('a b', 'PUT').given).to.equal(undefined);
    expect(once('k').given?.digest).to.equal('digest');
  });

  it('is another for another address or key, not for what is to be expanded, and does not show what it is of', () => {
    const keys = [once('k'), once('K'), once('k', 'POST', '/b')].map(({ given }) => given!.key);
    expect(new Set(keys).size).to.equal(3);
    for (const key of keys) expect(key).to.match(/^[\w-]{43}$/);
    expect(once('k').given?.key).to.equal(keys[0]);
    expect(once('k', 'POST', '/a', '?expand=status').given?.key).to.equal(keys[0]);
  });

  it('marks an answer that is given again', () => {
    const { given, responseHeaders } = once('k');
    given!.onReplay!();
    expect(responseHeaders).to.deep.equal({ 'idempotency-replayed': 'true' });
  });

  it('has 1 to 255 visible characters', () => {
    for (const key of ['!', '~', 'x'.repeat(255)])
      expect(
        refusal(() => once(key)),
        key,
      ).to.equal('ok');
    for (const key of ['', ' ', 'a b', 'x'.repeat(256), '\u00e9', '\u007f']) {
      expect(
        refusal(() => once(key)),
        key,
      ).to.equal('invalid-input');
    }
  });
});
