import { Page, PageRequest, Transaction } from '#kernel';
import { Subscription, Topic } from '../../domain/topic.js';

export interface SubscriptionChoice {
  readonly teamId: string;
  readonly contactId: string;
  readonly topicId: string;
  readonly subscription: Subscription;
}

export interface ChangedChoice extends SubscriptionChoice {
  /** The earlier choice; null if the contact had made none. */
  readonly from: Subscription | null;
  /** What held before: the earlier choice, else the default of the topic. */
  readonly before: Subscription;
}

export interface TopicOfContact {
  /** Id of the topic. */
  readonly id: string;
  readonly topic: Topic;
  /** The choice of the contact; null if it made none. */
  readonly chosen: Subscription | null;
}

/** What holds for one recipient address. */
export interface ConsentOfAddress {
  readonly teamId: string;
  readonly email: string;
  readonly topicId: string | null;
  readonly unsubscribed: boolean;
  readonly chosen: Subscription | null;
  /** The default of the topic; null if the team has no such topic. */
  readonly defaultSubscription: Subscription | null;
}

/** Stores which topics contacts chose or refused. */
export abstract class SubscriptionRepository {
  /** Returns those that differ from before. Each topic of a contact is given once. */
  abstract set(
    choices: readonly SubscriptionChoice[],
    now: Date,
    transaction: Transaction,
  ): Promise<readonly ChangedChoice[]>;

  /** All topics of the team with the choices of one contact, newest topic first. */
  abstract topicsOf(teamId: string, contactId: string, page: PageRequest): Promise<Page<TopicOfContact>>;

  /** One indexed read for all addresses, in their order. */
  abstract consents(
    asked: readonly { readonly teamId: string; readonly email: string; readonly topicId: string | null }[],
    transaction?: Transaction,
  ): Promise<readonly ConsentOfAddress[]>;
}
