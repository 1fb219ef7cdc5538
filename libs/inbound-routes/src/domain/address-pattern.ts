import { parseDomainName, parseEmailAddress, ValidationError } from '#kernel';

/**
 * The recipients that a route is for. The local part is exact, `prefix+*` (any tag behind the prefix) or `*`. The
 * domain is exact or `*.domain` (any name below it, and not itself).
 */
export interface AddressPattern {
  readonly local: { readonly kind: 'exact' | 'tagged'; readonly text: string } | { readonly kind: 'any' };
  readonly domain: { readonly kind: 'exact' | 'below'; readonly name: string };
}

export const patternForms = '`name@domain`, `prefix+*@domain`, `*@domain` or `*@*.domain`';

/** Throws ValidationError for a text that is no pattern. */
export function parsePattern(text: string): AddressPattern {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  const [local, domain] = [localOf(trimmed.slice(0, Math.max(0, at))), domainOf(trimmed.slice(at + 1))];
  if (at < 1 || local === undefined || domain === undefined) {
    throw new ValidationError(`The \`recipient\` must be of the form ${patternForms}.`);
  }
  return { local, domain };
}

/** The pattern as it is stored and shown: lower case, A-labels. */
export function formatPattern({ local, domain }: AddressPattern): string {
  const localText = local.kind === 'any' ? '*' : local.kind === 'tagged' ? `${local.text}+*` : local.text;
  return `${localText}@${domain.kind === 'below' ? '*.' : ''}${domain.name}`;
}

/** Whether a pattern is for this address. Local parts are compared without regard to case. */
export function matchesAddress({ local, domain }: AddressPattern, address: string): boolean {
  const at = address.lastIndexOf('@');
  const name = address.slice(at + 1).toLowerCase();
  const isDomain = domain.kind === 'exact' ? name === domain.name : name.endsWith(`.${domain.name}`);
  if (at < 1 || !isDomain) return false;
  const given = address.slice(0, at).toLowerCase();
  switch (local.kind) {
    case 'any':
      return true;
    case 'exact':
      return given === local.text;
    case 'tagged':
      return given.startsWith(`${local.text}+`);
  }
}

function localOf(text: string): AddressPattern['local'] | undefined {
  if (text === '*') return { kind: 'any' };
  const isTagged = text.endsWith('+*');
  const name = (isTagged ? text.slice(0, -2) : text).toLowerCase();
  if (name.includes('*') || parseEmailAddress(`${name}@example.com`) === undefined) return undefined;
  return { kind: isTagged ? 'tagged' : 'exact', text: name };
}

function domainOf(text: string): AddressPattern['domain'] | undefined {
  const isBelow = text.startsWith('*.');
  const name = parseDomainName(isBelow ? text.slice(2) : text);
  return name === undefined ? undefined : { kind: isBelow ? 'below' : 'exact', name };
}
