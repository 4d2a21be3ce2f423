import { BlockList, isIP } from 'node:net';
import type { RequestContext } from './request-context.ts';

/** The client address of a request; undefined when it did not come through a socket. */
export type ReadAddress = (context: RequestContext) => string | undefined;

/**
 * @param proxies trusted addresses and networks. X-Forwarded-For is read from its end, where the nearest proxy has
 * written, to the first address that is not trusted
 * @throws TypeError for a malformed address or network
 */
export function addressReader(proxies: readonly string[]): ReadAddress {
  const list = new BlockList();
  for (const proxy of proxies) trust(list, proxy);
  const isTrusted = (address: string) => list.check(address, familyOf(address));
  return ({ incoming, request }) => {
    let address = bare(incoming?.socket.remoteAddress ?? '');
    if (address === '') return undefined;
    const hops = (request.headers.get('x-forwarded-for') ?? '').split(',');
    while (isTrusted(address)) {
      const hop = bare(hops.pop() ?? '');
      if (isIP(hop) === 0) break;
      address = hop;
    }
    return address;
  };
}

/** The part of an address that identifies one client: of IPv6 the /64 network, which one subscriber owns. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [left = [], right = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}

/** Whether this is an address, or a network such as `10.0.0.0/8`. */
export function isProxy(proxy: string): boolean {
  const [address, bits, ...rest] = proxy.split('/') as [string, ...string[]];
  const longest = isIP(address) === 6 ? 128 : 32;
  const isGood = isIP(address) !== 0 && rest.length === 0;
  return isGood && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest));
}

function trust(list: BlockList, proxy: string): void {
  if (!isProxy(proxy)) throw new TypeError(`${JSON.stringify(proxy)} is neither an address nor a network.`);
  const [address, bits] = proxy.split('/') as [string, string?];
  if (bits === undefined) list.addAddress(address, familyOf(address));
  else list.addSubnet(address, Number(bits), familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Without port and zone; an IPv4-mapped IPv6 address as IPv4. */
function bare(text: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text.trim()) ?? [];
  const address = (bracketed ?? dotted ?? text.trim()).replace(/%.*/, '');
  return isIP(address) === 6 ? unmapped(address) : address;
}

function unmapped(address: string): string {
  if (!/^[0:]*:ffff:/i.test(address)) return address;
  const mapped = /\[::ffff:(\w+):(\w+)\]/.exec(new URL(`http://[${address}]`).hostname);
  if (mapped === null) return address;
  const [high, low] = mapped.slice(1).map((group) => Number.parseInt(group, 16)) as [number, number];
  const bits = high * 0x1_0000 + low;
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join('.');
}
