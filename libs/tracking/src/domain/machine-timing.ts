import { MachineReason, Visit } from './machine-rules.js';

/** Nobody is told of new mail, opens it and finds a link in this time; whoever checks mail on its way does. */
const soonestClickMs = 2_000;
const soonestOpenMs = 1_000;
/** Links of one email followed within this time of each other belong together. */
export const burstMs = 1_000;
/** So many different ones at once are followed by no person. */
const burstLinks = 3;

/**
 * What the time says of a visit: one before the delivery is on record comes from a gateway that looks into mail before
 * it accepts it. `deliveredAt` undefined: not delivered yet.
 */
export function reasonOfTime(kind: Visit['kind'], at: Date, deliveredAt: Date | undefined): MachineReason | undefined {
  if (deliveredAt === undefined) return 'before_delivery';
  const soonest = kind === 'click' ? soonestClickMs : soonestOpenMs;
  return at.getTime() - deliveredAt.getTime() < soonest ? 'at_delivery' : undefined;
}

/** Whether the links that one recipient followed within `burstMs` are too many for a person. */
export function isBurst(urls: readonly string[]): boolean {
  return new Set(urls).size >= burstLinks;
}
