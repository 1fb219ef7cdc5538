import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { contactKey } from '../domain/contact.js';
import { Subscription } from '../domain/topic.js';
import { SubscriptionRepository } from './ports/topic-repository.port.js';

export interface AskedConsent {
  readonly teamId: string;
  readonly address: string;
  /** Null if the mail belongs to no topic. */
  readonly topicId: string | null;
}

/** What a recipient wants, as far as the team knows. */
export interface RecipientConsent {
  /** Wants no broadcasts at all. */
  readonly unsubscribed: boolean;
  /**
   * For the topic: the choice of the contact, else the default of the topic. Null if there is no topic, or the team
   * does not have it.
   */
  readonly subscription: Subscription | null;
}

/** Tells the acceptance of emails what its recipients subscribed to: one statement for a whole batch. */
@Injectable()
export class RecipientConsents {
  constructor(private readonly subscriptions: SubscriptionRepository) {}

  /** In the order of the question. */
  async of(asked: readonly AskedConsent[], transaction?: Transaction): Promise<readonly RecipientConsent[]> {
    if (asked.length === 0) return [];
    const consents = await this.subscriptions.consents(
      asked.map(({ teamId, address, topicId }) => ({ teamId, email: contactKey(address), topicId })),
      transaction,
    );
    return consents.map(({ unsubscribed, chosen, defaultSubscription }) => ({
      unsubscribed,
      // The choice of a topic that was deleted does not count.
      subscription: defaultSubscription === null ? null : (chosen ?? defaultSubscription),
    }));
  }
}
