import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** As a socket for both families shows an IPv4 address. */
const mapped = /^::ffff:(?=\d+\.)/i;

/** Tells whether an address is one of these addresses and networks (`10.0.0.0/8`). */
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
