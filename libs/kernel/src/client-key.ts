/** As a socket for both families shows an IPv4 address (RFC 4291 section 2.5.5.2). */
const mapped = /^::ffff:(?=\d+\.)/i;

/** What counts as one client: an IPv4 address, or the /64 that an IPv6 host has to itself. */
export function clientKey(address: string): string {
  const bare = address.replace(mapped, '');
  if (!bare.includes(':')) return bare;
  const [head = '', tail] = bare.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const full = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? '').split(':')];
  return `${full.slice(0, 4).join(':')}::/64`;
}
