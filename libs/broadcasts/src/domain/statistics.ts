import type { Page } from '#kernel';

/** What can have happened to a recipient. */
export const resultKinds = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'unsubscribed',
  'suppressed',
] as const;
export type ResultKind = (typeof resultKinds)[number];

export const bounceTypes = ['permanent', 'transient', 'undetermined'] as const;
export type BounceType = (typeof bounceTypes)[number];

export interface RecipientsRequest {
  readonly kind: ResultKind;
  /** In lower case. Only recipients whose address has this text: at once if it is a whole address. */
  readonly email?: string;
  readonly bounceType?: BounceType;
}

export interface RecipientsPage extends Page<BroadcastRecipient> {
  /** With a part of an address: where the next page begins, since a page may have fewer recipients than asked for. */
  readonly next?: string | null;
}

/** A recipient to whom something happened. */
export interface BroadcastRecipient {
  /** The contact: also the place of the recipient in lists. */
  readonly id: string;
  /** Null once the contact has been erased. */
  readonly contactId: string | null;
  /** The address at the start of the broadcast. */
  readonly email: string;
  /** How often it happened. */
  readonly count: number;
  readonly bounceType: BounceType | null;
  readonly links: readonly { readonly url: string; readonly clicks: number }[];
}

/** A link of a broadcast that was clicked. */
export interface ClickedLink {
  readonly id: string;
  readonly url: string;
  readonly clicks: number;
  readonly uniqueClicks: number;
}

export const progressCounts = [
  'planned',
  'accepted',
  'skipped',
  'skipped_unsubscribed',
  'skipped_not_subscribed',
  'skipped_suppressed',
  'skipped_deleted',
  'skipped_invalid',
  'sent',
  'delivered',
  'delivery_delayed',
  'bounced',
  'complained',
  'suppressed',
  'failed',
  'opened',
  'clicked',
  'unsubscribed',
] as const;
export type ProgressCounts = Readonly<Record<(typeof progressCounts)[number], number>>;

/** How many recipients a broadcast has, and what became of them. Each recipient counts once in each. */
export interface BroadcastProgress {
  readonly counts: ProgressCounts;
  /** Why a broadcast has paused itself; null if it has not. */
  readonly pausedBecause: string | null;
}

export const subjectCounts = [
  'sent',
  'delivered',
  'bounced',
  'complained',
  'opened',
  'clicked',
  'unsubscribed',
] as const;
export type SubjectCounts = Readonly<Record<(typeof subjectCounts)[number], number>>;

export const noSubjectCounts = Object.fromEntries(subjectCounts.map((name) => [name, 0])) as SubjectCounts;

/**
 * What became of those who got one of the subjects of a test: of the share that tried it and, for the winner, of the
 * rest.
 */
export interface SubjectResult {
  /** 0: the subject of the broadcast itself. */
  readonly variant: number;
  readonly counts: SubjectCounts;
}

export interface SubjectResults {
  readonly subjects: readonly SubjectResult[];
  /** Null while it is not decided. The scores are those of that moment, one for each subject. */
  readonly winner: { readonly variant: number; readonly at: Date | null; readonly scores: readonly number[] } | null;
}

export const noCounts = Object.fromEntries(progressCounts.map((name) => [name, 0])) as ProgressCounts;

/** Takes the place of an erased address. It is no address. */
export const erasedAddress = 'erased';

/** What can have happened with the email of a broadcast to a contact. */
export const contactResults = [...resultKinds, 'failed'] as const;
export type ContactResult = (typeof contactResults)[number];

/** A broadcast as one contact got it, or did not. */
export interface ContactBroadcast {
  readonly broadcastId: string;
  readonly name: string | null;
  readonly subject: string;
  /** Null if the contact got no email, for this reason. */
  readonly emailId: string | null;
  readonly reason: string | null;
  /** In the order in which they happened first. Opens and clicks of machines do not count. */
  readonly results: readonly { readonly type: ContactResult; readonly count: number; readonly at: Date }[];
}
