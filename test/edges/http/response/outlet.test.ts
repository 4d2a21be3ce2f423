import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import { socketOutlet, streamOutlet } from '../../../../adapters/http/response/outlet.ts';
import type { Outlet } from '../../../../adapters/http/response/reply.ts';

/** More than the operating system keeps for a client that reads nothing. */
const MUCH = 'x'.repeat(20_000_000);

describe('a text that is offered to the body of a response', () => {
  describe('through a socket', () => {
    const server = createServer();
    let client: Socket;
    let response: ServerResponse;
    let outlet: Outlet;
    let received: string;

    before(async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
    });
    beforeEach(async () => {
      received = '';
      client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
      client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
      [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
      // As of streams of events: what is offered goes past the response, which writes no chunks.
      response.useChunkedEncodingByDefault = false;
      response.writeHead(200, { connection: 'close' }).flushHeaders();
      outlet = socketOutlet(response);
    });
    afterEach(() => client.destroy());
    after(() => void server.close());

    it('is sent behind what was written', async () => {
      client.on('data', (bytes) => (received += bytes.toString('latin1')));
      await outlet.write('one ');
      outlet.offer('two ');
      await outlet.write('three');
      outlet.end();
      await once(client, 'close');
      expect(received.endsWith('one two three')).to.equal(true);
    });

    it('is dropped while something waits', async () => {
      const written = outlet.write(MUCH);
      const waiting = response.socket!.writableLength;
      outlet.offer('dropped');
      expect(response.socket!.writableLength).to.equal(waiting);
      client.on('data', (bytes) => (received = (received + bytes.toString('latin1')).slice(-100)));
      await written;
      outlet.end();
      await once(client, 'close');
      expect(received).to.equal('x'.repeat(100));
    });

    it('is dropped after the end', async () => {
      client.on('data', (bytes) => (received += bytes.toString('latin1')));
      await outlet.write('all');
      outlet.end();
      outlet.offer('dropped');
      await once(client, 'close');
      expect(received.endsWith('all')).to.equal(true);
    });
  });

  describe('without a socket', () => {
    it('is taken where nothing waits, and else dropped', async () => {
      let outlet: Outlet | undefined;
      const reader = streamOutlet((given) => (outlet = given)).getReader();
      outlet!.offer('one');
      outlet!.offer('dropped');
      expect(new TextDecoder().decode((await reader.read()).value)).to.equal('one');
      outlet!.offer('two');
      expect(new TextDecoder().decode((await reader.read()).value)).to.equal('two');
      outlet!.end();
      outlet!.offer('dropped');
      expect((await reader.read()).done).to.equal(true);
    });
  });
});
