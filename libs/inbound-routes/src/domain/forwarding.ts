import type { ReceivedEmail } from '#inbound';
import { HeaderValue } from './header-condition.js';

/** A message that has passed more servers is not passed on: it is in a loop. Long real ways have about fifteen. */
export const maxForwardHops = 30;

/** Why a message for this recipient must not be passed on; undefined where it may. */
export function loopOf(header: readonly HeaderValue[], recipient: string): string | undefined {
  const hops = header.filter(({ name }) => name === 'received').length;
  if (hops > maxForwardHops) return `The message has passed ${hops} servers`;
  const address = recipient.toLowerCase();
  const wasHere = header.some(({ name, value }) => name === 'delivered-to' && bare(value) === address);
  return wasHere ? `The message was delivered to ${recipient} before` : undefined;
}

/**
 * Whether a bounce may be sent on to the envelope sender. The sender must be proven, or the bounce would hit whoever is named
 * there, and must not be a program that answers by itself (RFC 3834 section 2).
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

/** How a new seal continues the chain of those in the message. Undefined: a broken chain is not continued. */
export function chainOf({ arc }: ReceivedEmail['verdicts']): 'none' | 'pass' | undefined {
  if (arc.sets === 0) return 'none';
  return arc.result === 'pass' ? 'pass' : undefined;
}

/** The value of the Authentication-Results field among our header fields, on one line; undefined where it is absent. */
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
