import type { Actor } from '#identity';
import { Text } from '#kernel';
import { MergeValues } from './merge-tags.js';
import { LastEvent } from './email-status.js';
import { TrackingChoice } from './tracking-choice.js';

export interface Tag {
  readonly name: string;
  readonly value: string;
}

/** What is known of an attachment; its bytes lie in the message store under its id. */
export interface Attachment {
  readonly id: string;
  readonly filename: string | null;
  readonly contentType: string;
  /** Set: shown inline, referenced by the html as `cid:<id>`. */
  readonly contentId: string | null;
  readonly size: number;
}

/** An accepted email. Nothing of it changes but `lastEvent` and `scheduledAt`. */
export interface Email {
  readonly id: string;
  readonly teamId: string;
  readonly domainId: string;
  /** Who sent it. */
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
  /** Null: as the domain has it. */
  readonly tracking: TrackingChoice | null;
  readonly scheduledAt: Date | null;
  readonly lastEvent: LastEvent;
  readonly createdAt: Date;
  /** Bytes of bodies and attachments together. */
  readonly size: number;
  /** Where the body lies in the message store. Null: under the email's own id. */
  readonly contentId: string | null;
  /** Set: the body has merge tags, which become these values for whoever reads it. */
  readonly mergeValues: MergeValues | null;
}

/** Under which id the body lies in the message store. */
export function contentIdOf({ id, contentId }: Email): string {
  return contentId ?? id;
}

/** The written parts. `text: ''` says that no text part is wanted; null that it is derived from the html. */
export interface EmailBody {
  readonly html: Text | null;
  readonly text: Text | null;
}
