const linkSchemes = ['http:', 'https:', 'mailto:', 'tel:', 'sms:'];
const sourceSchemes = ['http:', 'https:'];
export const maxUrlLength = 2_000;

/** Browsers leave these signs out before they read the scheme. */
const ignoredSigns = /[\u0000-\u0020\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060\ufeff]/;
const tagOrSpace = /(\{\{[^{}]{0,600}\}\})|[ \t\r\n]/g;
const scheme = /^[a-z][a-z\d+.-]{0,40}:/i;
const hostName = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.){1,8}[a-z]{2,24}(?:[:/?#]|$)/i;

/**
 * The target of a link as it may stand in an email; undefined if it may not. A host without a scheme becomes `https:`. An address may be
 * a merge tag, or have some in it.
 */
export function safeLink(text: string): string | undefined {
  const url = text.trim();
  if (url === '' || url.startsWith('#')) return isClean(url) ? url : undefined;
  return withScheme(url, linkSchemes);
}

/** The address of an image. */
export function safeSource(text: string): string | undefined {
  const url = text.trim();
  return url === '' ? url : withScheme(url, sourceSchemes);
}

function withScheme(text: string, schemes: readonly string[]): string | undefined {
  if (text.length > maxUrlLength) return undefined;
  // Browsers do the same with line breaks and spaces.
  const url = text.replace(tagOrSpace, (found, tag?: string) => tag ?? (found === ' ' ? '%20' : ''));
  if (!isClean(url)) return undefined;
  if (url.startsWith('{{')) return url;
  const given = scheme.exec(url)?.[0].toLowerCase();
  // A port looks like a scheme: `acme.test:8080/x`.
  if (given !== undefined && schemes.includes(given)) return url;
  if (url.startsWith('//')) return hostName.test(url.slice(2)) ? `https:${url}` : undefined;
  return hostName.test(url) ? `https://${url}` : undefined;
}

/**
 * White space is allowed in merge tags alone, whose fallbacks may have it. PostgreSQL stores neither NUL nor half of a surrogate pair,
 * there either.
 */
function isClean(url: string): boolean {
  if (url.length > maxUrlLength || url.includes('\0') || !url.isWellFormed()) return false;
  return !ignoredSigns.test(url.replace(/\{\{[^{}]{0,600}\}\}/g, '')) && !/[<>"`\\]/.test(url);
}
