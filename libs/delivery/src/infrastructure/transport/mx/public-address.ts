import { BlockList, isIPv6 } from 'node:net';

/** What is not globally reachable in the registries of RFC 6890, and multicast. */
const ipv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** IPv4 within IPv6 in all its forms (mapped, compatible, NAT64, 6to4, Teredo) is refused as a whole. */
const ipv6 = [
  '::/96',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

// Two lists: one that holds ::ffff:0:0/96 takes every IPv4 address for a mapped one.
const blockedIpv4 = new BlockList();
const blockedIpv6 = new BlockList();
for (const subnet of ipv4) blockedIpv4.addSubnet(...prefixOf(subnet), 'ipv4');
for (const subnet of ipv6) blockedIpv6.addSubnet(...prefixOf(subnet), 'ipv6');

/** Whether an IP address belongs to the public internet: mail to any other could reach what only this machine may. */
export function isPublicAddress(address: string): boolean {
  return isIPv6(address) ? !blockedIpv6.check(address, 'ipv6') : !blockedIpv4.check(address, 'ipv4');
}

function prefixOf(subnet: string): [address: string, length: number] {
  const slash = subnet.lastIndexOf('/');
  return [subnet.slice(0, slash), Number(subnet.slice(slash + 1))];
}
