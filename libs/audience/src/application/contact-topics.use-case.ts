import type { Principal } from '#identity';
import { Clock, found, Page, PageRequest, Transaction, UnitOfWork, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Contact } from '../domain/contact.js';
import { TopicChoice } from '../domain/contact-event.js';
import { ContactRepository } from './ports/contact-repository.port.js';
import { SubscriptionRepository, TopicOfContact, TopicRepository } from './ports/topic-repository.port.js';
import { keyOf } from './read-contacts.query.js';
import { RecordChanges } from './record-changes.js';
import { topicChangesOf } from './write-groups.js';

/** Reads and sets which topics a contact gets. */
@Injectable()
export class ContactTopics {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly topics: TopicRepository,
    private readonly subscriptions: SubscriptionRepository,
    private readonly recorder: RecordChanges,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async topicsOf(teamId: string, idOrEmail: string, page: PageRequest): Promise<Page<TopicOfContact>> {
    const { id } = found('Contact', await this.contacts.find(teamId, keyOf(idOrEmail)));
    return this.subscriptions.topicsOf(teamId, id, page);
  }

  /** Returns the id of the contact. Each topic is given once. */
  async set(principal: Principal, idOrEmail: string, choices: readonly TopicChoice[]): Promise<string> {
    principal.require('audience:write');
    return this.work.run(async (transaction) => {
      const [locked] = await this.contacts.lock(principal.teamId, [keyOf(idOrEmail)], transaction);
      const contact = found('Contact', locked);
      await this.requireTopics(principal.teamId, choices, transaction);
      await this.write(principal, contact, choices, transaction);
      return contact.id;
    });
  }

  private async requireTopics(
    teamId: string,
    choices: readonly TopicChoice[],
    transaction: Transaction,
  ): Promise<void> {
    const topics = await this.topics.hold(
      choices.map(({ topicId }) => topicId),
      transaction,
    );
    const known = new Set(topics.filter((topic) => topic.teamId === teamId).map(({ id }) => id));
    const unknown = choices.find(({ topicId }) => !known.has(topicId));
    if (unknown !== undefined) throw new ValidationError(`The topic \`${unknown.topicId}\` does not exist.`);
  }

  private async write(
    { teamId, actor }: Principal,
    contact: Contact,
    choices: readonly TopicChoice[],
    transaction: Transaction,
  ): Promise<void> {
    const now = this.clock.now();
    const contactId = contact.id;
    const changed = await this.subscriptions.set(
      choices.map((choice) => ({ teamId, contactId, ...choice })),
      now,
      transaction,
    );
    const topicChanges = topicChangesOf(changed);
    await this.recorder.record(
      [{ contact, kind: 'updated', changes: {}, topics: changed, topicChanges, actor, source: 'api' }],
      now,
      transaction,
    );
  }
}
