/** As a socket for both families shows an IPv4 address (RFC 4291 section 2.5.5.2). */
const mapped = /^::ffff:(?=\d+\.)/i;

/** What counts as one client: an IPv4 address, or the /64 that an IPv6 host has to itself. */
export function clientKey(address: string): string {
  const bare = address.replace(mapped, '');
  return bare.includes(':') ? `${firstGroups(bare, 4)}::/64` : bare;
}

/** What one operator usually has to itself: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function clientNetwork(address: string): string {
  const bare = address.replace(mapped, '');
  if (bare.includes(':')) return `${firstGroups(bare, 3)}::/48`;
  return `${bare.split('.').slice(0, 3).join('.')}.0/24`;
}

/** Of an IPv6 address, with its zeros written out. */
function firstGroups(address: string, count: number): string {
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const full = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? '').split(':')];
  return full.slice(0, count).join(':');
}
