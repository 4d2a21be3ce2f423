import { expect } from 'chai';
import { addressReader, networkOf } from '../../../../adapters/http/request/address.ts';
import type { RequestContext } from '../../../../adapters/http/request/request-context.ts';

function seen(proxies: readonly string[], peer: string, header: string): string | undefined {
  const request = new Request('http://x', { headers: { 'x-forwarded-for': header } });
  return addressReader(proxies)({
    request,
    incoming: { socket: { remoteAddress: peer } },
  } as unknown as RequestContext);
}

describe('the address behind a proxy', () => {
  it('is read as proxies write it', () => {
    for (const [written, address] of [
      ['192.0.2.1', '192.0.2.1'],
      ['  192.0.2.1\t', '192.0.2.1'],
      ['192.0.2.1:1', '192.0.2.1'],
      ['192.0.2.1:65535', '192.0.2.1'],
      ['[192.0.2.1]:80', '192.0.2.1'],
      ['2001:db8::7', '2001:db8::7'],
      ['[2001:db8::7]', '2001:db8::7'],
      ['[2001:db8::7]:1', '2001:db8::7'],
      ['fe80::1%eth0', 'fe80::1'],
      ['[fe80::1%eth0]:80', 'fe80::1'],
      ['::ffff:192.0.2.1', '192.0.2.1'],
      ['::FFFF:c000:0201', '192.0.2.1'],
      ['0000:0:0:0:0:ffff:ffff:ffff', '255.255.255.255'],
      ['::ffff:0:1', '0.0.0.1'],
      // Not mapped, whatever it looks like.
      ['::fffe:c000:201', '::fffe:c000:201'],
      ['0:ffff::1', '0:ffff::1'],
      ['::ffff:0:c000:201', '::ffff:0:c000:201'],
      ['1::ffff:c000:201', '1::ffff:c000:201'],
      ['64:ff9b::c000:201', '64:ff9b::c000:201'],
    ] as const) {
      expect(seen(['10.1.1.1'], '10.1.1.1', written), written).to.equal(address);
    }
  });

  it('is that of the proxy where what it writes is no address', () => {
    for (const written of [
      '192.0.2.1:',
      '192.0.2.1:123456',
      '192.0.2.1:x',
      '192.0.2.1:80 x',
      'x192.0.2.1:80',
      '192.0.2',
      '192.0.2.256',
      '[2001:db8::7',
      '2001:db8::7]',
      'x[2001:db8::7]',
      '[2001:db8::7]x',
      '[2001:db8::7]:',
      '[]',
      'unknown',
      '_hidden',
    ]) {
      expect(seen(['10.1.1.1'], '10.1.1.1', `192.0.2.9, ${written}`), written).to.equal('10.1.1.1');
    }
  });

  it('is believed of the proxies named, by their address or network, and of no others', () => {
    for (const [proxy, trusted, other] of [
      ['10.1.1.1', '10.1.1.1', '10.1.1.2'],
      ['10.1.1.1/32', '10.1.1.1', '10.1.1.2'],
      ['10.0.0.0/8', '10.255.255.255', '11.0.0.0'],
      ['10.0.0.0/9', '10.127.0.1', '10.128.0.1'],
      ['0.0.0.0/0', '203.0.113.1', '2001:db8::1'],
      ['::1', '::1', '::2'],
      ['2001:db8::/32', '2001:db8:ffff::1', '2001:db9::1'],
      ['2001:db8::/127', '2001:db8::1', '2001:db8::2'],
      ['2001:db8::/128', '2001:db8::', '2001:db8::1'],
    ] as const) {
      expect(seen([proxy], trusted, '192.0.2.1'), `${proxy} ${trusted}`).to.equal('192.0.2.1');
      expect(seen([proxy], other, '192.0.2.1'), `${proxy} ${other}`).to.equal(other);
    }
    for (const proxy of [
      '10.0.0.0/33',
      '10.0.0.0/128',
      '::/129',
      '::/1280',
      '10.0.0.0/',
      '10.0.0.0/8x',
      '10.0.0.0/x8',
    ]) {
      expect(() => addressReader([proxy]), proxy).to.throw(TypeError);
    }
    for (const proxy of ['10.0.0.0/-1', '10.0.0.0/8/8', '/8', 'proxy/8', ' 10.0.0.1', '10.0.0.0/ 8', '10.0.0.0/0008']) {
      expect(() => addressReader([proxy]), proxy).to.throw(TypeError);
    }
  });
});

describe('the network of an address', () => {
  it('is its first four groups for IPv6, however it is written', () => {
    for (const [address, network] of [
      ['1:2:3:4:5:6:7:8', '1:2:3:4'],
      ['1::8', '1:0:0:0'],
      ['1:2:3:4:5::8', '1:2:3:4'],
      ['1:2:3:4:5:6:7::', '1:2:3:4'],
      ['::2:3:4:5:6:7:8', '0:2:3:4'],
      ['::5:6:7:8', '0:0:0:0'],
      ['::4:5:6:7:8', '0:0:0:4'],
      ['::', '0:0:0:0'],
      ['0001:00FF::', '1:ff:0:0'],
      ['192.0.2.1', '192.0.2.1'],
    ] as const) {
      expect(networkOf(address), address).to.equal(network);
    }
  });
});

describe('where a request comes from', () => {
  const from = (proxies: readonly string[], peer: string | undefined, header?: string) => {
    const request = new Request('http://x', header === undefined ? {} : { headers: { 'x-forwarded-for': header } });
    const incoming = peer === undefined ? undefined : { socket: { remoteAddress: peer } };
    return addressReader(proxies)({ request, incoming } as unknown as RequestContext);
  };

  it('is its connection, or what trusted proxies say', () => {
    expect(from([], '192.0.2.1', '192.0.2.2')).to.equal('192.0.2.1');
    expect(from([], undefined, '192.0.2.2')).to.equal(undefined);
    const proxies = ['10.0.0.0/8', '::1', '2001:db8::/32'];
    expect(from(proxies, '10.1.1.1', '192.0.2.1, 192.0.2.2, 10.2.2.2')).to.equal('192.0.2.2');
    expect(from(proxies, '::ffff:10.1.1.1', '192.0.2.1')).to.equal('192.0.2.1');
    expect(from(proxies, '::1', '192.0.2.1,2001:db8::7')).to.equal('192.0.2.1');
    expect(from(proxies, '11.1.1.1', '192.0.2.1')).to.equal('11.1.1.1');
    for (const header of [undefined, '', 'nonsense', '192.0.2.1, ']) {
      expect(from(proxies, '10.1.1.1', header), header).to.equal('10.1.1.1');
    }
  });

  it('does not depend on anything that a client writes', () => {
    const proxies = ['10.0.0.0/8', '::1', '2001:db8:5::/48'];
    const attacks: readonly (readonly [peer: string, header: string, seen: string])[] = [
      // Its own claims stand before what the proxy has written, however many and however alike.
      ['10.1.1.1', '203.0.113.9, 192.0.2.1', '192.0.2.1'],
      ['10.1.1.1', '10.9.9.9, 10.8.8.8, 192.0.2.1', '192.0.2.1'],
      ['10.1.1.1', '127.0.0.1, ::1, 192.0.2.1, 10.2.2.2, 10.3.3.3', '192.0.2.1'],
      ['10.1.1.1', ',,, , 192.0.2.1', '192.0.2.1'],
      ['10.1.1.1', '192.0.2.1, unknown', '10.1.1.1'],
      ['10.1.1.1', '192.0.2.1, 10.2.2.2, unknown', '10.1.1.1'],
      ['10.1.1.1', '192.0.2.1, unknown, 10.2.2.2', '10.2.2.2'],
      ['10.1.1.1', '192.0.2.1, 0x0a010101', '10.1.1.1'],
      ['10.1.1.1', '192.0.2.1, 010.1.1.1', '10.1.1.1'],
      ['10.1.1.1', '192.0.2.1, 10.1.1', '10.1.1.1'],
      ['10.1.1.1', '192.0.2.1, ::ffff:zz', '10.1.1.1'],
      // Who comes past the proxies is not believed, nor who merely looks like one.
      ['192.0.2.1', '203.0.113.9', '192.0.2.1'],
      ['::ffff:192.0.2.1', '203.0.113.9', '192.0.2.1'],
      ['2001:db8:6::1', '203.0.113.9', '2001:db8:6::1'],
      ['fe80::1%eth0', '203.0.113.9', 'fe80::1'],
      // One address in every spelling of it.
      ['::ffff:10.1.1.1', '192.0.2.1', '192.0.2.1'],
      ['::FFFF:0a01:0101', '192.0.2.1', '192.0.2.1'],
      ['0:0:0:0:0:ffff:a01:101', '192.0.2.1', '192.0.2.1'],
      ['10.1.1.1', '203.0.113.9, ::ffff:c000:201', '192.0.2.1'],
      ['10.1.1.1', '203.0.113.9, ::ffff:192.0.2.1', '192.0.2.1'],
      ['10.1.1.1', '203.0.113.9, 192.0.2.1:4711', '192.0.2.1'],
      ['10.1.1.1', '203.0.113.9, [2001:db8::7]:443', '2001:db8::7'],
      ['10.1.1.1', '203.0.113.9, [2001:db8::7]', '2001:db8::7'],
      ['2001:db8:5::9', '203.0.113.9, 2001:db8::7, 2001:DB8:5:0::2', '2001:db8::7'],
    ];
    for (const [peer, header, seen] of attacks) expect(from(proxies, peer, header), header).to.equal(seen);
  });

  it('is a network for IPv6', () => {
    for (const same of ['2001:db8:1:2::1', '2001:0db8:1:2:ffff::', '2001:db8:1:2:3:4:5:6']) {
      expect(networkOf(same)).to.equal('2001:db8:1:2');
    }
    expect(networkOf('2001:db8::1')).to.equal('2001:db8:0:0');
    expect(networkOf('2001::3:4:5:6:7:8')).to.equal('2001:0:3:4');
    expect(networkOf('::1')).to.equal('0:0:0:0');
    expect(networkOf('192.0.2.1')).to.equal('192.0.2.1');
  });

  it('is not configured with nonsense', () => {
    for (const proxy of ['', 'proxy', '10.0.0.0/33', '10.0.0.0/', '::1/129', '10.0.0.1/8/8', '10.0.0.1/x']) {
      expect(() => addressReader([proxy]), proxy).to.throw(TypeError);
    }
  });
});
