import type { LastEvent } from '#events';
import type { Actor } from '#identity';
import { MergeValues, Text } from '#kernel';
import { TrackingChoice } from './tracking-choice.js';

export interface Tag {
  readonly name: string;
  readonly value: string;
}

/** The description of an attachment. Its bytes are in the message store under its id. */
export interface Attachment {
  readonly id: string;
  readonly filename: string | null;
  readonly contentType: string;
  /** Set for inline content, which the html references as `cid:<contentId>`. */
  readonly contentId: string | null;
  readonly size: number;
}

/** An accepted email. Only `lastEvent` and `scheduledAt` ever change. */
export interface Email {
  readonly id: string;
  readonly teamId: string;
  readonly domainId: string;
  /** The principal that sent it. */
  readonly actor: Actor;
  /** RFC 5322 Message-ID with angle brackets. */
  readonly messageId: string;
  /** As sent, with display names. */
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[] | null;
  readonly bcc: readonly string[] | null;
  readonly replyTo: readonly string[] | null;
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly tags: readonly Tag[] | null;
  readonly attachments: readonly Attachment[] | null;
  readonly topicId: string | null;
  /** Null: the settings of the domain apply. */
  readonly tracking: TrackingChoice | null;
  readonly scheduledAt: Date | null;
  readonly lastEvent: LastEvent;
  readonly createdAt: Date;
  /** Bytes of bodies and attachments together. */
  readonly size: number;
  /** Id of the body in the message store. Null: the email's own id. */
  readonly contentId: string | null;
  /** Set if the body has merge tags. They are replaced by these values for each reader. */
  readonly mergeValues: MergeValues | null;
  /** Bulk mail, such as that of a broadcast, waits behind transactional mail. Absent or null: transactional. */
  readonly isBulk?: boolean | null;
  /** Set if the content is that of a template. */
  readonly templateId?: string | null;
  /** Set for mail that is passed on: the received email that it is. It leaves as it is stored, byte for byte. */
  readonly forwardedFrom?: string | null;
}

/** Whether recipients of the email may get different content: it has merge values, or links of a topic. */
export function isPersonal({ mergeValues, topicId }: Pick<Email, 'mergeValues' | 'topicId'>): boolean {
  return mergeValues !== null || topicId !== null;
}

/** Id of the body in the message store. */
export function contentIdOf({ id, contentId }: Email): string {
  return contentId ?? id;
}

/**
 * The parts as the sender wrote them. An empty string in `text` means: no text part. Null means: the text part is
 * derived from the html.
 */
export interface EmailBody {
  readonly html: Text | null;
  readonly text: Text | null;
}

/**
 * The trace of an email has ids that follow from the email's own id: every process adds its spans to the same trace, and
 * nothing needs to be stored or passed on for that.
 */
export function traceIdOf(emailId: string): string {
  return emailId.replaceAll('-', '');
}

/** The span of the acceptance, in which all others lie. The variant bits of the UUID keep it from being zero. */
export function acceptanceSpanId(emailId: string): string {
  return traceIdOf(emailId).slice(16);
}
