import { BlockList, isIP } from 'node:net';

/**
 * All ranges outside of the public internet (IANA special-purpose registries): loopback, private, link-local (which
 * includes the metadata services of clouds), shared, documentation, benchmarking, multicast and reserved.
 */
const ipv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/**
 * All forms of IPv4 addresses in IPv6 (compatible, mapped, NAT64, Teredo within 2001::/23, 6to4) are refused, because an
 * unknown translator decides where such an address leads.
 */
const ipv6 = [
  '::/96',
  '::ffff:0:0/96',
  '64:ff9b::/32',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

// Two lists, because a list with ::ffff:0:0/96 matches every IPv4 address.
const blockedIpv4 = new BlockList();
const blockedIpv6 = new BlockList();
for (const subnet of ipv4) blockedIpv4.addSubnet(...prefixOf(subnet), 'ipv4');
for (const subnet of ipv6) blockedIpv6.addSubnet(...prefixOf(subnet), 'ipv6');

/**
 * Whether an IP address belongs to the public internet. Mail or requests to other addresses could reach services that
 * only this machine may use. An address with a zone (`fe80::1%eth0`) names an interface of this machine and is not
 * public.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !blockedIpv4.check(address, 'ipv4');
    case 6:
      return !address.includes('%') && !blockedIpv6.check(address, 'ipv6');
    default:
      return false;
  }
}

function prefixOf(subnet: string): [address: string, length: number] {
  const slash = subnet.lastIndexOf('/');
  return [subnet.slice(0, slash), Number(subnet.slice(slash + 1))];
}
