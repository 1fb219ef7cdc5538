import { withoutTrailing } from '#kernel';
import { DkimKeyInfo } from './domain.js';
import { Mistake } from './mistake.js';
import { Finding } from './record-check.js';
import { parseTags } from './record-tags.js';

type Key = Pick<DkimKeyInfo, 'algorithm' | 'publicKey'>;

/**
 * Compares the meaning of the TXT records at a selector with the key that they should publish (RFC 6376 section 3.6.1).
 */
export function compareDkim(texts: readonly string[], key: Key): Finding {
  if (texts.length === 0) return { kind: 'missing', mistake: 'missing', found: [] };
  const mistakes = texts.map((text) => mistakeIn(text, key));
  if (mistakes.every((mistake) => mistake === undefined)) return { kind: 'right' };
  // With several records a receiver may use any of them, so verification fails some of the time (section 3.6.2.2).
  const mistake = texts.length > 1 ? 'several_records' : (mistakes[0] as Mistake);
  return { kind: 'wrong', mistake, found: texts };
}

/** Whether this text contains the key, even in broken form. Used to find a record that was published at another name. */
export function mentionsKey(text: string, key: Key): boolean {
  return text.replace(/[\s"\\]/g, '').includes(key.publicKey.slice(0, 80));
}

function mistakeIn(text: string, key: Key): Mistake | undefined {
  if (text.includes('"') || /^['“”].*['“”]$/.test(text.trim())) return 'quotes_kept';
  if (text.includes('\\')) return 'backslashes_kept';
  if (/_domainkey/i.test(text)) return 'name_in_value';
  const tags = parseTags(text);
  if (tags === undefined) return 'invalid_syntax';
  return mistakeInTags(tags, key);
}

function mistakeInTags(tags: ReadonlyMap<string, string>, key: Key): Mistake | undefined {
  const published = tags.get('p');
  if (published === undefined) return 'invalid_syntax';
  if (tags.has('v') && ([...tags.keys()][0] !== 'v' || tags.get('v') !== 'DKIM1')) return 'dkim_version_not_first';
  if (published === '') return 'dkim_revoked_key';
  const keyType = key.algorithm === 'ed25519-sha256' ? 'ed25519' : 'rsa';
  if ((tags.get('k') ?? 'rsa').toLowerCase() !== keyType) return 'dkim_wrong_key_type';
  if (tags.has('h') && !listOf(tags.get('h')).includes('sha256')) return 'dkim_wrong_hash';
  const services = listOf(tags.get('s') ?? '*');
  if (!services.includes('*') && !services.includes('email')) return 'dkim_wrong_service';
  return mistakeInKey(published, key.publicKey);
}

/** All RSA keys of one size begin with the same characters, so an equal prefix of this length proves nothing. */
const commonPrefixLength = 48;

function mistakeInKey(published: string, expected: string): Mistake | undefined {
  const given = published.replace(/\s+/g, '');
  if (withoutPadding(given) === withoutPadding(expected)) return undefined;
  if (given.length > commonPrefixLength && expected.startsWith(withoutPadding(given))) return 'dkim_truncated_key';
  const isNoBase64 = !/^[A-Za-z0-9+/]*={0,2}$/.test(given);
  const alike = Math.min(commonPrefixLength + 12, Math.floor(expected.length / 2));
  if (isNoBase64 || given.slice(0, alike) === expected.slice(0, alike) || given.endsWith(expected.slice(-alike))) {
    return 'dkim_damaged_key';
  }
  return 'dkim_other_key';
}

function listOf(value: string | undefined): string[] {
  return (value ?? '').split(':').map((item) => item.trim().toLowerCase());
}

function withoutPadding(base64: string): string {
  return withoutTrailing(base64, '=');
}
