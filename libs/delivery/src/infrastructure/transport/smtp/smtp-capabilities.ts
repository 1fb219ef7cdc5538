import type { SmtpReply } from './smtp-reply.js';

/** The extensions of RFC 5321's EHLO reply that this client uses. */
export interface SmtpCapabilities {
  readonly pipelining: boolean;
  readonly startTls: boolean;
  readonly eightBitMime: boolean;
  readonly smtpUtf8: boolean;
  /** SIZE was offered; `maximumSize` is its limit in bytes, Infinity where it names none (RFC 1870). */
  readonly size: boolean;
  readonly maximumSize: number;
  readonly authMechanisms: readonly string[];
}

/** What a server that only knows HELO can do. */
export const noCapabilities: SmtpCapabilities = {
  pipelining: false,
  startTls: false,
  eightBitMime: false,
  smtpUtf8: false,
  size: false,
  maximumSize: Infinity,
  authMechanisms: [],
};

export function capabilitiesFrom(ehlo: SmtpReply): SmtpCapabilities {
  const parameters = new Map<string, string>();
  for (const line of ehlo.lines.slice(1)) {
    // `AUTH=PLAIN` is how some old servers write it.
    const [, keyword, rest] = /^([a-z0-9-]+)[ =]?(.*)$/i.exec(line.trim()) ?? [];
    if (keyword === undefined) continue;
    const name = keyword.toUpperCase();
    parameters.set(name, `${parameters.get(name) ?? ''} ${rest ?? ''}`.trim());
  }
  const limit = Number(parameters.get('SIZE'));
  return {
    pipelining: parameters.has('PIPELINING'),
    startTls: parameters.has('STARTTLS'),
    eightBitMime: parameters.has('8BITMIME'),
    smtpUtf8: parameters.has('SMTPUTF8'),
    size: parameters.has('SIZE'),
    maximumSize: limit > 0 ? limit : Infinity,
    authMechanisms: (parameters.get('AUTH') ?? '').toUpperCase().split(' '),
  };
}
