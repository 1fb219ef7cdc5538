/** The name at which the PTR record of an address is published (RFC 1035 section 3.5, RFC 3596 section 2.5). */
export function reverseName(address: string): string | undefined {
  if (/^[\d.]+$/.test(address) && hostOf(address) === address)
    return `${address.split('.').reverse().join('.')}.in-addr.arpa`;
  // The URL parser writes every form of an address in the same way, with an embedded IPv4 address as two groups.
  const [plain = ''] = address.split('%', 1);
  const canonical = plain.includes(':') && /^[\da-f:.]+$/i.test(plain) ? hostOf(`[${plain}]`)?.slice(1, -1) : undefined;
  if (canonical === undefined) return undefined;
  const [head = '', tail = ''] = canonical.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill('0');
  const digits = [...groups(head), ...zeros, ...groups(tail)].map((group) => group.padStart(4, '0')).join('');
  return `${[...digits].reverse().join('.')}.ip6.arpa`;
}

/** As the URL parser writes it; undefined for what is no host. */
function hostOf(host: string): string | undefined {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
