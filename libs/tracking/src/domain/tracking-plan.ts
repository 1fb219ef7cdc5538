import { trackingHost } from '#domains';
import type { Domain } from '#domains';
import type { Email } from '#emails';

/** What is tracked in one email, and the host of its pixels and links. */
export interface TrackingPlan {
  readonly host: string;
  readonly opens: boolean;
  readonly clicks: boolean;
}

/** Undefined if nothing is tracked: neither the domain nor the email asks for it, or the tracking host is not verified. */
export function trackingPlan(domain: Domain, email: Email): TrackingPlan | undefined {
  const opens = email.tracking?.opens ?? domain.openTracking;
  const clicks = email.tracking?.clicks ?? domain.clickTracking;
  const host = opens || clicks ? trackingHost(domain) : undefined;
  return host === undefined ? undefined : { host, opens, clicks };
}

/** In bytes. Longer links are not tracked: a token is a third longer than its link, and old clients cut very long URLs. */
export const maxLinkBytes = 2_000;

/**
 * Whether a link may lead through the tracking host. Three kinds may not: links with placeholders that another system
 * fills in, unsubscribe links (they must work even without this service), and links that already lead to the tracking host.
 */
export function isTrackable(url: string, host: string, unsubscribe: ReadonlySet<string>): boolean {
  if (Buffer.byteLength(url) > maxLinkBytes || url.includes('{{') || unsubscribe.has(url)) return false;
  return new URL(url).hostname !== host;
}

/** The http addresses of a List-Unsubscribe header (RFC 2369 section 3.2). */
export function unsubscribeLinks(header: string | undefined): ReadonlySet<string> {
  return new Set(header?.match(/https?:\/\/[^>\s]+/gi) ?? []);
}
