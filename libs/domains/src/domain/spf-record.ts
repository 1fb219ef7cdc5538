/** One term of an SPF record (RFC 7208 section 4.6.1). */
export interface SpfMechanism {
  readonly qualifier: '+' | '-' | '~' | '?';
  readonly name: 'all' | 'include' | 'a' | 'mx' | 'ptr' | 'ip4' | 'ip6' | 'exists';
  /** What follows the colon, lower-case, without a trailing dot and without a prefix length; '' for none. */
  readonly value: string;
  /** The prefix length, `/24`, or ''. */
  readonly prefix: string;
}

export interface SpfRecord {
  readonly mechanisms: readonly SpfMechanism[];
  readonly redirect: string | undefined;
}

const mechanismPattern =
  /^([+\-~?])?(all|include|a|mx|ptr|ip4|ip6|exists)(?:[:=]([^/\s]+(?::[^/\s]*)*))?((?:\/\d{1,3}){0,2})$/i;
const modifierPattern = /^([a-z][a-z0-9._-]*)=(\S*)$/i;

export function isSpf(text: string): boolean {
  return /^v=spf1(?:\s|$)/i.test(text.trim());
}

/** Undefined for what receivers answer with a permanent error. */
export function parseSpf(text: string): SpfRecord | undefined {
  const [, ...terms] = text.trim().split(/\s+/);
  const mechanisms: SpfMechanism[] = [];
  let redirect: string | undefined;
  for (const term of terms) {
    const mechanism = parseMechanism(term);
    if (mechanism !== undefined) {
      mechanisms.push(mechanism);
      continue;
    }
    const [, name, value] = modifierPattern.exec(term) ?? [];
    if (name === undefined || value === undefined) return undefined;
    if (name.toLowerCase() === 'redirect') {
      if (redirect !== undefined || value === '') return undefined;
      redirect = hostOf(value);
    }
  }
  return { mechanisms, redirect };
}

function parseMechanism(term: string): SpfMechanism | undefined {
  const [, qualifier, rawName, value, prefix] = mechanismPattern.exec(term) ?? [];
  const name = rawName?.toLowerCase() as SpfMechanism['name'] | undefined;
  if (name === undefined || /^[+\-~?]?[a-z0-9]+=/i.test(term)) return undefined;
  const needsValue = name === 'include' || name === 'exists' || name === 'ip4' || name === 'ip6';
  if (needsValue !== (value !== undefined) && (needsValue || name === 'all')) return undefined;
  return {
    qualifier: (qualifier ?? '+') as SpfMechanism['qualifier'],
    name,
    value: hostOf(value ?? ''),
    prefix: prefix ?? '',
  };
}

/** Terms that cost a look-up (section 4.6.4). */
export function costsLookUp({ name }: SpfMechanism): boolean {
  return name === 'include' || name === 'a' || name === 'mx' || name === 'ptr' || name === 'exists';
}

export const mostLookUps = 10;

function hostOf(text: string): string {
  return text.toLowerCase().replace(/\.$/, '');
}
