import { NewDomain } from './new-domain.js';

export type ClaimStatus =
  'pending' | 'verified' | 'completed' | 'blocked' | 'expired' | 'superseded' | 'canceled' | 'failed';
export type BlockedReason = 'grace_period' | 'recent_owner_activity' | 'pending_scheduled_emails';

/** A team's claim of a domain that another team has. A TXT record proves it, and the name then moves to the claimant. */
export interface DomainClaim {
  readonly id: string;
  readonly teamId: string;
  /** The id that the claimant's domain gets when the claim is completed. */
  readonly domainId: string;
  readonly name: string;
  readonly status: ClaimStatus;
  /** Settings of the claimant's new domain. */
  readonly settings: NewDomain;
  readonly token: string;
  readonly blockedReason: BlockedReason | null;
  readonly failureReason: string | null;
  /** When the record was first seen. */
  readonly provenAt: Date | null;
  readonly nextCheckAt: Date | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const hour = 3_600_000;
export const claimLifeMs = 7 * 24 * hour;
/** Time that the owner of a verified domain has to react to a proven claim. */
export const gracePeriodMs = 24 * hour;
/** Mail sent within this time shows that the owner is using the domain. */
export const recentActivityMs = 24 * hour;

export function isOpen({ status }: DomainClaim): boolean {
  return status === 'pending' || status === 'verified' || status === 'blocked';
}

/** The name at which the proof is published. It is used for nothing else, so no other record can conflict with it. */
export function claimHost(name: string): string {
  return `_postrider-claim.${name}`;
}

export function claimValue({ token }: DomainClaim): string {
  return `postrider-domain-verification=${token}`;
}

/** Quotes and spaces around the published value are ignored. */
export function provesClaim(texts: readonly string[], claim: DomainClaim): boolean {
  return texts.some((text) => text.replace(/[\s"]/g, '') === claimValue(claim));
}

export interface OwnerActivity {
  readonly hasScheduledEmails: boolean;
  readonly sentRecently: boolean;
  readonly isVerified: boolean;
}

/** Why a proven claim has to wait; undefined if nothing prevents it. */
export function obstacleTo(claim: DomainClaim, owner: OwnerActivity, now: Date): BlockedReason | undefined {
  if (owner.hasScheduledEmails) return 'pending_scheduled_emails';
  if (owner.sentRecently) return 'recent_owner_activity';
  const provenFor = now.getTime() - (claim.provenAt ?? now).getTime();
  return owner.isVerified && provenFor < gracePeriodMs ? 'grace_period' : undefined;
}

/** A pending claim is checked often, because its record may appear at any time. A proven claim only has to wait. */
export function nextClaimCheckAt(claim: DomainClaim, now: Date): Date | null {
  if (!isOpen(claim)) return null;
  const waited = now.getTime() - claim.createdAt.getTime();
  const pause = claim.status === 'pending' ? Math.min(hour / 2, Math.max(30_000, waited / 10)) : hour / 2;
  return new Date(Math.min(now.getTime() + pause, claim.expiresAt.getTime()));
}
