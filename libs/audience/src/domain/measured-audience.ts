import { DomainError } from '#kernel';

/** Contacts that are looked at. The members of a larger audience are a sample of about this size. */
export const maxMeasured = 10_000;
/** Who got fewer broadcasts in a year may just not have opened one yet. */
export const minBroadcastsOfEngagement = 5;
export const engagementDays = 365;
export const recentImportDays = 30;
export const maxNamedImports = 5;

/** Contacts of an import that are among those that were looked at. */
export interface MeasuredImport {
  readonly id: string;
  readonly fileName: string | null;
  readonly createdAt: Date;
  readonly contacts: number;
}

/** What is known of the members of a segment, and of those who would get a broadcast. */
export interface MeasuredAudience {
  /** All members; estimated where a sample of them was looked at. */
  readonly members: number;
  readonly isEstimated: boolean;
  /** The members that were looked at. All numbers below are about them. */
  readonly measured: number;
  readonly unsubscribed: number;
  /** Subscribed, but without the topic. */
  readonly withoutTopic: number;
  /** Members whose address is suppressed, by reason. They may be unsubscribed as well. */
  readonly suppressed: { readonly bounce: number; readonly complaint: number; readonly manual: number };
  /** Those who would get it. All numbers below are about them. */
  readonly recipients: number;
  /** They were never sent anything. */
  readonly neverMailed: number;
  /** They opened or clicked something at some time. */
  readonly engaged: number;
  /** They got `minBroadcastsOfEngagement` broadcasts in `engagementDays`, and never opened or clicked, nor did a machine. */
  readonly silent: number;
  /** They were created by an import in the last `recentImportDays`. */
  readonly imported: number;
  /** The largest imports of these, `maxNamedImports` at most. */
  readonly imports: readonly MeasuredImport[];
}

export class AudienceNotMeasuredError extends DomainError {
  constructor() {
    super(
      'unavailable',
      'service_unavailable',
      'The audience could not be measured in time. Nothing else depends on it. Please try again.',
    );
  }
}
