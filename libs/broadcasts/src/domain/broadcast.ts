import type { Actor } from '#identity';
import type { ContentOrigin } from '#kernel';

/**
 * `draft` and `scheduled` broadcasts can be edited. `queued` ones are being sent, `paused` ones wait in the middle of
 * it. `sent` and `canceled` ones are over: nothing more is sent.
 */
export type BroadcastStatus = 'draft' | 'scheduled' | 'queued' | 'paused' | 'sent' | 'canceled';

/** What a broadcast sends. `subject`, `previewText`, `html` and `text` may have merge tags. */
export interface BroadcastContent {
  readonly from: string;
  readonly replyTo: readonly string[] | null;
  readonly subject: string;
  /** What mail programs show behind the subject. It is hidden in the email itself. */
  readonly previewText: string | null;
  readonly html: string | null;
  /** Null: derived from the html. */
  readonly text: string | null;
}

/** How a broadcast is sent, beyond at once and to all: see `BroadcastOptions`. Absent: as usual. */
export interface BroadcastOptions {
  /** Emails per hour at most. */
  readonly throttlePerHour?: number;
  /** A part of the audience gets it first, and the rest after a check. */
  readonly firstShare?: FirstShare;
  /** The time of day of `scheduledAt` is meant in the time zone of each contact. */
  readonly localTime?: { readonly property: string; readonly timeZone: string };
  /** Other subjects, which are tried on a share of the audience. */
  readonly test?: SubjectTest;
}

/** The first share, in percent or in contacts, and what must hold before the rest is sent. */
export interface FirstShare {
  readonly percent?: number;
  readonly contacts?: number;
  /** How long the rest waits after the first share. Null: until someone resumes the broadcast. */
  readonly waitMinutes: number | null;
  /** The broadcast pauses if a larger percentage of the emails has bounced, or was complained about. */
  readonly maxBouncePercent: number;
  readonly maxComplaintPercent: number;
}

/** An A/B test of subjects: a share of the audience gets one of the subjects each, and the rest gets the winner. */
export interface SubjectTest {
  /** The subjects beside the one of the broadcast. */
  readonly subjects: readonly string[];
  /** In percent of the audience. */
  readonly sharePercent: number;
  readonly waitMinutes: number;
  /** Opens and clicks of machines do not count. */
  readonly winner: 'clicks' | 'opens';
}

/** One content that is sent to the members of a segment. */
export interface Broadcast extends BroadcastContent, ContentOrigin {
  readonly id: string;
  readonly teamId: string;
  readonly name: string | null;
  readonly segmentId: string;
  /** Contacts that opted out of it get nothing. */
  readonly topicId: string | null;
  readonly status: BroadcastStatus;
  readonly options: BroadcastOptions;
  /** The domain of `from`. Null until it is sent or scheduled. */
  readonly domainId: string | null;
  readonly scheduledAt: Date | null;
  /** When sending began. */
  readonly queuedAt: Date | null;
  /** When the last email was accepted. */
  readonly sentAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Who sends it: the principal that wrote it last, and from the start on the one that started or resumed it. */
  readonly actor: Actor;
}
