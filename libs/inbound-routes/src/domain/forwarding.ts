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
