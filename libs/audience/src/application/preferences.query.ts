import { Injectable } from '@nestjs/common';
import { contactKey } from '../domain/contact.js';
import { maxTopics, Subscription, Topic } from '../domain/topic.js';
import { ContactRepository } from './ports/contact-repository.port.js';
import { SubscriptionRepository, TopicRepository } from './ports/topic-repository.port.js';

/** A topic as one recipient has it. */
export interface TopicPreference {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** The choice of the recipient, else the default of the topic. */
  readonly subscription: Subscription;
}

/** What a recipient may choose from on the preference page. */
@Injectable()
export class Preferences {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly topics: TopicRepository,
    private readonly subscriptions: SubscriptionRepository,
  ) {}

  /**
   * Public topics, and the private ones that the recipient opted in to, by name. The topic `always` is there whatever
   * it is, since the recipient got mail of it. An address that is no contact has the default of each topic.
   */
  async of(
    teamId: string,
    address: string,
    always: string | null,
  ): Promise<{ readonly unsubscribed: boolean; readonly topics: readonly TopicPreference[] }> {
    const contact = await this.contacts.find(teamId, { email: contactKey(address) });
    const page = { limit: maxTopics };
    const all: readonly { readonly topic: Topic; readonly chosen: Subscription | null }[] =
      contact === undefined
        ? (await this.topics.list(teamId, page)).items.map((topic) => ({ topic, chosen: null }))
        : (await this.subscriptions.topicsOf(teamId, contact.id, page)).items;
    const shown = all.filter(
      ({ topic, chosen }) => topic.visibility === 'public' || chosen === 'opt_in' || topic.id === always,
    );
    const topics = shown.map(({ topic, chosen }) => ({
      id: topic.id,
      name: topic.name,
      description: topic.description,
      subscription: chosen ?? topic.defaultSubscription,
    }));
    return {
      unsubscribed: contact?.unsubscribed ?? false,
      topics: topics.sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1)),
    };
  }
}
