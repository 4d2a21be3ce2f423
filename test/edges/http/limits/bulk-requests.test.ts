import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { newApi, type Api } from '../support.ts';

interface Person {
  readonly id: string;
  readonly token: string;
  readonly path: string;
  readonly boardId: string;
}

describe('bulk requests', () => {
  let api: Api;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    api = await newApi('through a socket');
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    return api.close();
  });

  async function person(name: string): Promise<Person> {
    const { id, token } = await api.user(name);
    const session = api.espalier.as(id);
    const { id: workspaceId } = await session.workspaces.create({ name });
    const { id: boardId } = await session.boards.create({ workspaceId, name: 'Board' });
    await session.statuses.create({ workspaceId, boardId, name: 'To do' });
    return { id, token, boardId, path: `/api/workspace/${workspaceId}/task` };
  }

  /** Sends a batch but for the last bytes of its body. @returns sends these, and resolves with the answer's first line */
  async function begin({ token, path, boardId }: Person, headers: readonly string[] = []) {
    const body = JSON.stringify({ tasks: [{ boardId, title: 'Task' }] });
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1').setEncoding('utf8');
    sockets.push(socket);
    await once(socket, 'connect');
    const lines = [
      `POST ${path}/batch HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      ...headers,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const first = once(socket, 'data').then(([text]) => (text as string).split('\r\n')[0]!);
    return { first, end: () => void socket.write(body) };
  }

  /** Resolves when everything that was sent before has been read. */
  const settled = async ({ token }: Person) => {
    for (let n = 0; n < 5; n += 1) await api.ask({ method: 'GET', path: '/api/me', token });
  };

  it('of one user are worked on one after the other, and nothing of the next is read before', async () => {
    const ada = await person('Ada');
    const slow = await begin(ada);
    await settled(ada);
    // It would be asked for its body where it is read.
    const next = await begin(ada, ['Expect: 100-continue']);
    let isAsked = false;
    void next.first.then(() => (isAsked = true));
    await settled(ada);
    expect(isAsked).to.equal(false);
    slow.end();
    expect(await slow.first).to.equal('HTTP/1.1 201 Created');
    expect(await next.first).to.equal('HTTP/1.1 100 Continue');
  });

  it('keep no other request of the user waiting, and no other user', async () => {
    const [ada, ben] = [await person('Ada'), await person('Ben')];
    await begin(ada);
    await settled(ada);
    const { token, path, boardId } = ada;
    const created = await api.ask({ method: 'POST', path, token, body: { boardId, title: 'Small' } });
    expect(created.status).to.equal(201);
    const other = await begin(ben);
    other.end();
    expect(await other.first).to.equal('HTTP/1.1 201 Created');
  });

  it('of a token that was revoked are refused in their turn, before their bodies have come', async () => {
    const ada = await person('Ada');
    const session = api.espalier.as(ada.id);
    const { id: tokenId, token } = await session.tokens.create({ name: 'lost' });
    const lost = { ...ada, token };
    const slow = await begin(lost);
    await settled(ada);
    const waiting = await begin(lost);
    await settled(ada);
    await session.tokens.revoke({ tokenId });
    const next = await begin(ada);
    next.end();
    slow.end();
    expect(await slow.first).to.equal('HTTP/1.1 401 Unauthorized');
    expect(await next.first).to.equal('HTTP/1.1 201 Created');
    expect(await waiting.first).to.equal('HTTP/1.1 401 Unauthorized');
  });

  it('go on where one before has gone away', async () => {
    const ada = await person('Ada');
    await begin(ada);
    await settled(ada);
    const next = await begin(ada);
    await settled(ada);
    sockets[0]!.destroy();
    next.end();
    expect(await next.first).to.equal('HTTP/1.1 201 Created');
  });
});
