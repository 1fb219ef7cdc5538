import { Transaction } from '#kernel';

/** What happened to an email. */
export interface BroadcastEvent {
  readonly emailId: string;
  readonly createdAt: Date;
  readonly kind: BroadcastEventKind;
  /** A privacy proxy or a scanner of links did it. */
  readonly isMachine: boolean;
  /** Of a bounce. */
  readonly bounceType: 'permanent' | 'transient' | 'undetermined' | null;
  /** Of a click: the link as the sender wrote it. */
  readonly link: string | null;
}

export type BroadcastEventKind =
  'delivered' | 'delivery_delayed' | 'bounced' | 'complained' | 'suppressed' | 'failed' | 'opened' | 'clicked';

/** Links of a broadcast that are told apart. Where each recipient has links of its own, the further ones count only as clicks. */
export const maxCountedLinks = 1_000;
export const maxLinkLength = 2_000;

/** Keeps what became of broadcasts: for each recipient, for each link, and in numbers. */
export abstract class BroadcastOutcomes {
  /** Adds events, in few statements however many they are. Events of mail that belongs to no broadcast are passed over. */
  abstract add(events: readonly BroadcastEvent[], transaction: Transaction): Promise<void>;
}
