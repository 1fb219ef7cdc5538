import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** The prefix of an IPv4 address on a socket for both families. */
const mapped = /^::ffff:(?=\d+\.)/i;

/** Returns a function that tells whether an address is in these addresses and networks (`10.0.0.0/8`). */
export function trustedProxies(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const bare = address.replace(mapped, '');
    return isIPv4(bare) ? list.check(bare) : isIPv6(bare) && list.check(bare, 'ipv6');
  };
}
