import { MachineReason, Visit } from './machine-rules.js';

/** No person is notified of new mail, opens it and finds a link within this time; a gateway that checks mail does. */
const minClickMs = 2_000;
const minOpenMs = 1_000;
/** Links of one email followed within this time of each other belong together. */
export const burstMs = 1_000;
/** No person follows this many different links at once. */
const minBurstLinks = 3;

/**
 * Classifies a visit by its time. A visit before the recorded delivery comes from a gateway that examines mail before it
 * accepts it. `deliveredAt` is undefined if the email is not delivered yet.
 */
export function reasonOfTime(kind: Visit['kind'], at: Date, deliveredAt: Date | undefined): MachineReason | undefined {
  if (deliveredAt === undefined) return 'before_delivery';
  const minMs = kind === 'click' ? minClickMs : minOpenMs;
  return at.getTime() - deliveredAt.getTime() < minMs ? 'at_delivery' : undefined;
}

/** Whether the links that one recipient followed within `burstMs` are too many for a person. */
export function isBurst(urls: readonly string[]): boolean {
  return new Set(urls).size >= minBurstLinks;
}
