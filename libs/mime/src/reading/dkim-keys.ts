import { MimeTooComplexError, readEntityHeader } from './entity-header.js';
import { defaultLimits } from './mime-structure.js';

const signatureFields = ['dkim-signature', 'arc-message-signature', 'arc-seal'];

/**
 * Names of the DNS records with the keys of a message's signatures (RFC 6376 section 3.6.2.1), without duplicates, in lower
 * case. Undefined if there are more than `maxNames`, or if the header is too long: the caller should not look them up.
 */
export function dkimKeyNames(message: Uint8Array, maxNames: number): readonly string[] | undefined {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const names = new Set<string>();
  try {
    const { fields } = readEntityHeader(bytes, 0, defaultLimits.maxHeaderBytes, () => false);
    for (const { name, value } of fields) {
      if (!signatureFields.includes(name.toLowerCase())) continue;
      const tags = tagsOf(value);
      names.add(`${tags.get('s') ?? ''}._domainkey.${tags.get('d') ?? ''}`.toLowerCase());
      if (names.size > maxNames) return undefined;
    }
  } catch (error) {
    if (error instanceof MimeTooComplexError) return undefined;
    throw error;
  }
  return [...names];
}

function tagsOf(value: string): ReadonlyMap<string, string> {
  return new Map(
    value.split(';').map((tag) => {
      const equals = tag.indexOf('=');
      return [tag.slice(0, Math.max(0, equals)).trim().toLowerCase(), tag.slice(equals + 1).trim()];
    }),
  );
}
