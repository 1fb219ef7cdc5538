import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * Everything that is not the public internet (IANA special-purpose registries): loopback, private, link-local and with
 * it the metadata services of clouds, shared, documentation, benchmarking, multicast and reserved ranges.
 */
const special = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  special.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 96],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  special.addSubnet(network, prefix, 'ipv6');
}

/** Whether an IP address belongs to the public internet. An address that carries an IPv4 address counts as that one. */
export function isPublicAddress(address: string): boolean {
  const bare = address.split('%', 1)[0] as string;
  if (isIP(bare) === 0) return false;
  const embedded = isIPv6(bare) ? embeddedIpv4(bare) : bare;
  if (embedded !== undefined) return !special.check(embedded, 'ipv4');
  return !special.check(bare, 'ipv6');
}

/** Of mapped (RFC 4291), NAT64 (RFC 6052, RFC 8215) and 6to4 (RFC 3056) addresses. */
function embeddedIpv4(address: string): string | undefined {
  const groups = groupsOf(address);
  const prefix = groups.slice(0, 6).join(':');
  if (prefix === '0:0:0:0:0:65535') return dotted(groups[6], groups[7]);
  if (groups[0] === 0x64 && groups[1] === 0xff9b) return dotted(groups[6], groups[7]);
  if (groups[0] === 0x2002) return dotted(groups[1], groups[2]);
  return undefined;
}

function groupsOf(address: string): number[] {
  // The URL parser writes every form of an address in one.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].map((group) => parseInt(group, 16));
}

function dotted(high = 0, low = 0): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
