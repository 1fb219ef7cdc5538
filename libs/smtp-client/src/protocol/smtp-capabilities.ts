import type { SmtpReply } from './smtp-reply.js';

/** The extensions of RFC 5321's EHLO reply that this client uses. */
export interface SmtpCapabilities {
  readonly pipelining: boolean;
  readonly startTls: boolean;
  readonly eightBitMime: boolean;
  readonly smtpUtf8: boolean;
  /** SIZE was offered; `maxSizeBytes` is its limit in bytes, Infinity where it names none (RFC 1870). */
  readonly size: boolean;
  readonly maxSizeBytes: number;
  readonly authMechanisms: readonly string[];
}

/** What a server that only knows HELO can do. */
export const noCapabilities: SmtpCapabilities = {
  pipelining: false,
  startTls: false,
  eightBitMime: false,
  smtpUtf8: false,
  size: false,
  maxSizeBytes: Infinity,
  authMechanisms: [],
};

/** Of the lines of one keyword together. */
const maxParameterCharacters = 2_048;

export function capabilitiesFrom(ehlo: SmtpReply): SmtpCapabilities {
  const parameters = new Map<string, string>();
  for (const line of ehlo.lines.slice(1)) {
    const text = line.trim();
    const [keyword] = /^[a-z0-9-]+/i.exec(text) ?? [];
    if (keyword === undefined) continue;
    const name = keyword.toUpperCase();
    // `AUTH=PLAIN` is how some old servers write it, and beside it once more as the standard has it.
    const hasSeparator = ' ='.includes(text.charAt(keyword.length));
    const rest = text.slice(keyword.length + (hasSeparator ? 1 : 0)).trim();
    const known = parameters.get(name) ?? '';
    if (known.length <= maxParameterCharacters) parameters.set(name, `${known} ${rest}`.trim());
  }
  const limit = Number(parameters.get('SIZE'));
  return {
    pipelining: parameters.has('PIPELINING'),
    startTls: parameters.has('STARTTLS'),
    eightBitMime: parameters.has('8BITMIME'),
    smtpUtf8: parameters.has('SMTPUTF8'),
    size: parameters.has('SIZE'),
    maxSizeBytes: limit > 0 ? limit : Infinity,
    authMechanisms: (parameters.get('AUTH') ?? '').toUpperCase().split(' '),
  };
}
