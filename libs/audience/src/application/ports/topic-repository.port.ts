import { Page, PageRequest, Transaction } from '#kernel';
import { Subscription, Topic } from '../../domain/topic.js';

/** Stores the topics of all teams. */
export abstract class TopicRepository {
  /** Returns false if the team has `max` topics already. */
  abstract insert(topic: Topic, max: number, transaction: Transaction): Promise<boolean>;

  abstract find(teamId: string, id: string): Promise<Topic | undefined>;

  /** Locks the topic until the transaction ends. */
  abstract lock(teamId: string, id: string, transaction: Transaction): Promise<Topic | undefined>;

  /** Protects the topics against removal until the transaction ends. Unknown ones are left out. */
  abstract hold(ids: readonly string[], transaction: Transaction): Promise<readonly Topic[]>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<Topic>>;

  abstract update(topic: Topic, transaction: Transaction): Promise<void>;

  /** Its subscriptions stay until they are removed in batches. */
  abstract delete(topic: Topic, transaction: Transaction): Promise<void>;
}

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
