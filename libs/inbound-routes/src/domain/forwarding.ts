import { base32Letters, decodeBase32, encodeBase32, parseEmailAddress } from '#kernel';
import type { ReceivedEmail } from '#inbound';
import { HeaderValue } from './header-condition.js';

/** A message that has passed more servers is not passed on: it is in a loop. Long real ways have about fifteen. */
export const maxForwardHops = 30;

/** Why a message for this recipient must not be passed on, to `target` if that is an address. Undefined if it may be. */
export function loopOf(
  { recipients }: Pick<ReceivedEmail, 'recipients'>,
  header: readonly HeaderValue[],
  recipient: string,
  target?: string,
): string | undefined {
  const hops = header.filter(({ name }) => name === 'received').length;
  if (hops > maxForwardHops) return `The message has passed ${hops} servers`;
  const before = new Set(header.flatMap(({ name, value }) => (name === 'delivered-to' ? bare(value) : [])));
  const here = target === undefined ? [] : recipients.map((address) => address.toLowerCase());
  const isKnown = (address: string): boolean => before.has(address.toLowerCase());
  if (isKnown(recipient)) return `The message was delivered to ${recipient} before`;
  if (target === undefined || !(isKnown(target) || here.includes(target.toLowerCase()))) return undefined;
  return `The message was delivered to ${target} before`;
}

/**
 * The id under which this service first received a message: the one in the oldest of its own Received fields. All
 * copies that were passed on have it, so that each address gets one of them, however many routes lead there.
 */
export function originalOf(
  { id }: Pick<ReceivedEmail, 'id'>,
  header: readonly HeaderValue[],
  hostName: string,
): string {
  const own = header
    .filter(({ name }) => name === 'received')
    .map(({ value }) => /\sby (\S+) with \S+ id ([0-9a-f-]{36})\b/.exec(value.slice(0, 2_000)))
    .filter((found) => found?.[1] === hostName);
  return own.at(-1)?.[2] ?? id;
}

/**
 * Whether a bounce may be sent on to the envelope sender. The sender must be proven, or the bounce would hit the person
 * who is named there, and must not be a program that answers by itself (RFC 3834 section 2).
 */
export function mayBounce(
  { mailFrom, verdicts }: Pick<ReceivedEmail, 'mailFrom' | 'verdicts'>,
  header: readonly HeaderValue[],
): boolean {
  if (mailFrom === '' || verdicts.spf.result !== 'pass') return false;
  const submitted =
    header
      .find(({ name }) => name === 'auto-submitted')
      ?.value.trim()
      .toLowerCase() ?? 'no';
  return submitted === 'no' || submitted.startsWith('no;');
}

/** The field that is put before a message that is passed on. Its copies are recognised by it (`loopOf`). */
export function deliveredTo(recipient: string): Uint8Array {
  return new TextEncoder().encode(`Delivered-To: ${recipient}\r\n`);
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** How a new seal continues the chain of those in the message. Undefined: a broken chain is not continued. */
export function chainOf({ arc }: ReceivedEmail['verdicts']): 'none' | 'pass' | undefined {
  if (arc.sets === 0) return 'none';
  return arc.result === 'pass' ? 'pass' : undefined;
}

/** The value of the Authentication-Results field among our header fields, on one line; undefined if it is absent. */
export function resultsIn(trace: string): string | undefined {
  const name = 'authentication-results:';
  const lines = trace.split('\r\n');
  const first = lines.findIndex((line) => line.toLowerCase().startsWith(name));
  if (first < 0) return undefined;
  const value = [(lines[first] as string).slice(name.length)];
  for (const line of lines.slice(first + 1)) {
    if (!line.startsWith(' ') && !line.startsWith('\t')) break;
    value.push(line);
  }
  return value
    .map((line) => line.trim())
    .join(' ')
    .trim();
}

function bare(value: string): string {
  return value.trim().replace(/^</, '').replace(/>$/, '').toLowerCase();
}

const purpose = 'rewritten sender';
const dayMs = 86_400_000;
/** Days for which a bounce may come back. Servers retry for five days. */
const validDays = 21;
const days = 1_024;
/** 80 bits: too many to guess over SMTP. */
const macLength = 10;
const maxLocalLength = 64;

/** Signs with the SECRET_KEY of this service, and verifies with those before it, too. */
interface SenderSignatures {
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
