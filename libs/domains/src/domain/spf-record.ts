/** One term of an SPF record (RFC 7208 section 4.6.1). */
export interface SpfMechanism {
  readonly qualifier: '+' | '-' | '~' | '?';
  readonly name: 'all' | 'include' | 'a' | 'mx' | 'ptr' | 'ip4' | 'ip6' | 'exists';
  /** The text after the colon, lower-case, without a trailing dot and without a prefix length; '' for none. */
  readonly value: string;
  /** The prefix lengths, `/24`, `//64` or `/24//64`, or ''. */
  readonly prefix: string;
}

export interface SpfRecord {
  readonly mechanisms: readonly SpfMechanism[];
  readonly redirect: string | undefined;
}

/** Limit of look-ups of a record, including those of its includes and redirects (section 4.6.4). */
export const maxSpfLookUps = 10;

/** Limit of look-ups without a result (section 4.6.4). */
export const maxSpfVoidLookUps = 2;

/**
 * Section 3.4 advises at most 450 octets. A record above this limit is a permanent error here, as for most receivers.
 */
const maxSpfCharacters = 4_096;
const maxSpfTerms = 300;

const names: ReadonlySet<string> = new Set(['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists']);
const valuesNeeded: ReadonlySet<string> = new Set(['include', 'exists', 'ip4', 'ip6']);
const qualifiers = '+-~?';
const modifierName = /^[a-z][a-z0-9._-]*$/i;
/** For IPv4, IPv6 or both (section 5.6 and `dual-cidr-length`, section 12). */
const prefixLengths = /^(?:\/\d{1,3})?(?:\/\/\d{1,3})?$/;

export function isSpf(text: string): boolean {
  return /^v=spf1(?:\s|$)/i.test(text.trim());
}

/** Undefined for a record that receivers treat as a permanent error. Linear in the length of the text. */
export function parseSpf(text: string): SpfRecord | undefined {
  if (text.length > maxSpfCharacters) return undefined;
  const [, ...terms] = text.trim().split(/\s+/);
  if (terms.length > maxSpfTerms) return undefined;
  const mechanisms: SpfMechanism[] = [];
  let redirect: string | undefined;
  for (const term of terms) {
    const mechanism = parseMechanism(term);
    if (mechanism !== undefined) {
      mechanisms.push(mechanism);
      continue;
    }
    const equals = term.indexOf('=');
    const name = term.slice(0, Math.max(equals, 0));
    if (!modifierName.test(name)) return undefined;
    if (name.toLowerCase() === 'redirect') {
      const value = term.slice(equals + 1);
      if (redirect !== undefined || value === '') return undefined;
      redirect = hostOf(value);
    }
  }
  return { mechanisms, redirect };
}

function parseMechanism(term: string): SpfMechanism | undefined {
  const isQualified = term !== '' && qualifiers.includes(term.charAt(0));
  const text = isQualified ? term.slice(1) : term;
  const nameEnd = endOfName(text);
  const name = text.slice(0, nameEnd).toLowerCase();
  if (!names.has(name) || text[nameEnd] === '=') return undefined;

  const slash = text.indexOf('/', nameEnd);
  const valueEnd = slash === -1 ? text.length : slash;
  const prefix = text.slice(valueEnd);
  if (prefix !== '' && !prefixLengths.test(prefix)) return undefined;
  const value = text.slice(nameEnd + 1, valueEnd);
  const hasValue = valueEnd > nameEnd;
  if (hasValue && value === '') return undefined;
  if (name === 'all' ? hasValue || prefix !== '' : valuesNeeded.has(name) && !hasValue) return undefined;
  return {
    qualifier: (isQualified ? term.charAt(0) : '+') as SpfMechanism['qualifier'],
    name: name as SpfMechanism['name'],
    value: hostOf(value),
    prefix,
  };
}

function endOfName(text: string): number {
  const end = text.search(/[:=/]/);
  return end === -1 ? text.length : end;
}

/** Whether the term costs a look-up (section 4.6.4). */
export function costsLookUp({ name }: SpfMechanism): boolean {
  return name === 'include' || name === 'a' || name === 'mx' || name === 'ptr' || name === 'exists';
}

function hostOf(text: string): string {
  return text.toLowerCase().replace(/\.$/, '');
}
