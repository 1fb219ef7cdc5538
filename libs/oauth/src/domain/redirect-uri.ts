const loopbacks = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** Schemes that a browser would run or open as a file. */
const dangerous = /^(?:javascript|data|vbscript|file|blob|about|filesystem|view-source|intent|content|ws|wss|ftp)$/;
const unprintable = /[\p{Cc}\p{Surrogate}\s]/u;
const maxLength = 500;

/** Whether a client may be registered with this address: https, http on this machine, or the own scheme of a program. */
export function isRedirectUri(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > maxLength || unprintable.test(text) || !URL.canParse(text))
    return false;
  const { protocol, hostname, hash, username, password } = new URL(text);
  if (hash !== '' || username !== '' || password !== '') return false;
  const scheme = protocol.slice(0, -1);
  if (scheme === 'https') return true;
  if (scheme === 'http') return loopbacks.has(hostname);
  return !dangerous.test(scheme);
}

/** Compared as text. On this machine any port will do, because a program takes a free one (RFC 8252 section 7.3). */
export function matchesRedirectUri(registered: readonly string[], given: string): boolean {
  if (registered.includes(given)) return true;
  if (!isRedirectUri(given)) return false;
  const asked = new URL(given);
  if (asked.protocol !== 'http:') return false;
  return registered.some((text) => {
    const known = new URL(text);
    if (known.protocol !== 'http:' || known.hostname !== asked.hostname) return false;
    return known.pathname === asked.pathname && known.search === asked.search;
  });
}
