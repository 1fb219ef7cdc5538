import { base32Letters, decodeBase32, encodeBase32, parseEmailAddress } from '#kernel';

const purpose = 'rewritten sender';
const dayMs = 86_400_000;
/** Days for which a bounce may come back. Servers retry for five days. */
const validDays = 21;
const days = 1_024;
/** 80 bits: too many to guess over SMTP. */
const macLength = 10;
const maxLocalLength = 64;

/** Signs with the SECRET_KEY of this service, and verifies with those before it, too. */
export interface SenderSignatures {
  mac(purpose: string, data: Uint8Array, length: number): Uint8Array;
  verifyMac(purpose: string, data: Uint8Array, mac: Uint8Array): boolean;
}

/**
 * Rewrites envelope senders of mail that is passed on (SRS), so that SPF passes for a domain of this service, and reads
 * the senders again when a bounce comes back.
 *
 * `SRS0=<mac>=<day>=<domain>=<local>@<host>`, the usual form, with a longer signature. The day counts modulo 1024 in
 * two letters. The signature is over the rest and the host, without regard to case, since some servers change the case
 * of addresses. It stays valid for some weeks, as long as a bounce may take. Nobody else can make one, so that no
 * stranger can send mail through this service.
 */
export class SenderRewriting {
  constructor(private readonly signatures: SenderSignatures) {}

  /** An address at `host`; undefined if the sender is too long for one. */
  rewritten(sender: string, host: string, now: Date): string | undefined {
    const parsed = parseEmailAddress(sender);
    // A quoted local part cannot be a part of an unquoted one.
    if (parsed === undefined || parsed.local.startsWith('"')) return undefined;
    const day = lettersOf(dayOf(now));
    const rest = `${day}=${parsed.domain}=${parsed.local}`;
    const mac = encodeBase32(this.signatures.mac(purpose, signedForm(rest, host), macLength));
    const local = `SRS0=${mac}=${rest}`;
    return local.length <= maxLocalLength ? `${local}@${host}` : undefined;
  }

  /** Whether an address looks like a rewritten one, valid or not. */
  isRewritten(address: string): boolean {
    return /^srs[01][=+-]/i.test(address);
  }

  /** The original sender. Undefined if the address was not made here, or has expired. */
  original(address: string, now: Date): string | undefined {
    const at = address.lastIndexOf('@');
    const [, mac, day, domain, local] =
      /^SRS0=([a-z2-7]{16})=([a-z2-7]{2})=([^=@]{1,64})=([^@]{1,64})$/i.exec(address.slice(0, at)) ?? [];
    if (mac === undefined || day === undefined || domain === undefined || local === undefined) return undefined;
    const given = decodeBase32(mac.toLowerCase());
    const signed = signedForm(`${day}=${domain}=${local}`, address.slice(at + 1));
    if (given === undefined || !this.signatures.verifyMac(purpose, signed, given)) return undefined;
    const age = (dayOf(now) - numberOf(day.toLowerCase()) + days) % days;
    // The clock of another process may be ahead, so the next day is valid as well.
    return age <= validDays || age === days - 1 ? parseEmailAddress(`${local}@${domain}`)?.address : undefined;
  }
}

function signedForm(rest: string, host: string): Buffer {
  return Buffer.from(`${rest}@${host}`.toLowerCase());
}

function dayOf(now: Date): number {
  return Math.floor(now.getTime() / dayMs) % days;
}

/** A day in two letters, the most significant one first. */
function lettersOf(day: number): string {
  return `${base32Letters[day >>> 5]}${base32Letters[day & 31]}`;
}

function numberOf(letters: string): number {
  return [...letters].reduce((value, letter) => value * 32 + base32Letters.indexOf(letter), 0);
}
