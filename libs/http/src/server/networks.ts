import { BlockList, isIP } from 'node:net';
import { clientKey, plainAddress } from '#kernel';

/** The network of a client address: an IPv4 /24, an IPv6 /64. */
export function networkKey(address: string): string {
  const key = clientKey(address);
  return key.includes(':') ? key : `${key.slice(0, key.lastIndexOf('.'))}.0/24`;
}

export interface AddressList {
  has(address: string): boolean;
}

/** @param entries addresses, and networks in CIDR notation. */
export function addressList(entries: readonly string[]): AddressList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return {
    has: (address) => {
      const bare = plainAddress(address);
      return list.check(bare, isIP(bare) === 6 ? 'ipv6' : 'ipv4');
    },
  };
}
