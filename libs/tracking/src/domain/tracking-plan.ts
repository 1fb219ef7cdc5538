import { trackingHost } from '#domains';
import type { Domain } from '#domains';
import type { Email } from '#emails';

/** What is tracked of one email, and the host that it is tracked under. */
export interface TrackingPlan {
  readonly host: string;
  readonly opens: boolean;
  readonly clicks: boolean;
}

/** Undefined where nothing is: neither domain nor email want it, or the domain's tracking host is not verified. */
export function trackingPlan(domain: Domain, email: Email): TrackingPlan | undefined {
  const opens = email.tracking?.opens ?? domain.openTracking;
  const clicks = email.tracking?.clicks ?? domain.clickTracking;
  const host = opens || clicks ? trackingHost(domain) : undefined;
  return host === undefined ? undefined : { host, opens, clicks };
}

/** In bytes. A longer link is left alone: old clients cut addresses beyond this, and a token is a third longer. */
export const maxLinkLength = 2_000;

/**
 * Whether a link may lead through the tracking host. Placeholders are still to be filled in by somebody else, ways to
 * unsubscribe must work whatever becomes of us, and what leads to the tracking host has been there before.
 */
export function isTrackable(url: string, host: string, unsubscribe: ReadonlySet<string>): boolean {
  if (Buffer.byteLength(url) > maxLinkLength || url.includes('{{') || unsubscribe.has(url)) return false;
  return new URL(url).hostname !== host;
}

/** The http addresses of a List-Unsubscribe header (RFC 2369 section 3.2). */
export function unsubscribeLinks(header: string | undefined): ReadonlySet<string> {
  return new Set(header?.match(/https?:\/\/[^>\s]+/gi) ?? []);
}
