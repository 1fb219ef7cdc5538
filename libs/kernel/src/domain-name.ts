/** Labels of at most 63 characters (RFC 1035 section 2.3.4). The last one is letters only, or an A-label. */
const domainName = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

/**
 * Normalises a domain name to lower-case A-labels (RFC 5890). Returns undefined for any other text.
 *
 * A domain name has at least two labels. A single trailing dot is dropped. IP addresses and address literals are not domain
 * names.
 */
export function parseDomainName(text: string): string | undefined {
  if (text.length === 0 || text.length > 253) return undefined;
  const ascii = toAscii(text.endsWith('.') ? text.slice(0, -1) : text);
  if (ascii === undefined || ascii.length > 253) return undefined;
  return domainName.test(ascii) ? ascii : undefined;
}

function toAscii(text: string): string | undefined {
  if (/^[\x21-\x7e]+$/.test(text)) return text.toLowerCase();
  // The URL parser applies UTS 46. Characters with a meaning in a URL are refused before they reach it.
  if (/[\s/\\?#@:%[\]<>^|]/.test(text) || !/^[^\x00-\x20\x7f]+$/.test(text)) return undefined;
  try {
    return new URL(`http://${text}`).hostname;
  } catch {
    return undefined;
  }
}
