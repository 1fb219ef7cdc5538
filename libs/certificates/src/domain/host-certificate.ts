/** A private key and the certificate chain for it, in PEM. */
export interface KeyAndChain {
  readonly key: string;
  readonly chain: string;
}

/** A host whose certificate is due, held by one process until its lease ends. */
export interface CertificateLease {
  readonly host: string;
  /** Random id of this lease: who has another one changes nothing. */
  readonly lease: string;
  /** The domain whose record proves the host; null for a host of the service itself. */
  readonly domainId: string | null;
  readonly teamId: string | null;
  /** Failed tries in a row. */
  readonly tries: number;
  /** The order that an earlier try began. */
  readonly order: { readonly url: string; readonly key: string } | null;
  readonly current: { readonly chain: string; readonly renewAt: Date } | null;
  /** The operator wants the current one to be revoked. */
  readonly isRevoked: boolean;
}

/** When an authority wants a certificate to be renewed (RFC 9773 section 4.2). */
export interface RenewalWindow {
  readonly start: Date;
  readonly end: Date;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Lasts through a slow request to the authority. Heartbeats renew it. */
export const leaseMs = minute;

/** New orders of one hour for all customers. Let's Encrypt takes 300 in three hours. */
export const maxOrdersPerHour = 60;

/** Orders of one week for one registrable domain; those of the service count apart. Let's Encrypt issues 50 certificates. */
export const maxOrdersPerDomain = 20;
export const domainPeriodMs = 7 * day;

/** The next try after the first, second, … failure: 1, 2, 4, … hours, at most a day, and never before the authority allows it. */
export function retryAfterMs(tries: number, askedMs: number): number {
  const backOffMs = Math.min(hour * 2 ** Math.min(tries - 1, 10), day);
  return Math.max(backOffMs, Math.min(askedMs, domainPeriodMs));
}

/** At two thirds of the lifetime. */
export function usualRenewal(from: Date, to: Date): Date {
  return new Date(from.getTime() + ((to.getTime() - from.getTime()) * 2) / 3);
}

/** `random` in [0, 1) spreads the renewals over the window. */
export function renewalWithin({ start, end }: RenewalWindow, random: number): Date {
  return new Date(start.getTime() + (end.getTime() - start.getTime()) * random);
}

/** When a certificate is looked at next: an authority may move its window, such as before a mass revocation. */
export function nextLook(renewAt: Date, hasWindow: boolean, now: Date): Date {
  const latest = new Date(now.getTime() + day / 2);
  return hasWindow && latest < renewAt ? latest : renewAt;
}

interface NamedHosts {
  readonly publicUrl?: string;
  readonly hostName?: string;
  readonly heloName?: string;
}

/** The hosts of the service itself as they are configured. The first one is that of its SMTP ports. */
export function ownHosts({ publicUrl, hostName, heloName }: NamedHosts): string[] {
  const ofUrl = publicUrl === undefined ? undefined : /^https?:\/\/([^/:]+)/.exec(publicUrl)?.[1];
  const named = [heloName, hostName, ofUrl].flatMap((name) => (name === undefined ? [] : [name.toLowerCase()]));
  return [...new Set(named)];
}
