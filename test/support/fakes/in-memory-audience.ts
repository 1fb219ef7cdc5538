import { Principal } from '#identity';
import { newId, Page, pageOf, PageRequest, Transaction } from '#kernel';
import { InMemoryRows } from './in-memory-rows.js';
import { InMemoryUnitOfWork } from './in-memory-unit-of-work.js';
import { Suppressions } from '#suppressions';
import { ApplyUpserts } from '../../../libs/audience/src/application/apply-upserts.js';
import { CheckReferences } from '../../../libs/audience/src/application/check-references.js';
import {
  ContactHistory,
  Removal,
  Removals,
} from '../../../libs/audience/src/application/ports/contact-repository.port.js';
import {
  ContactUpserts,
  UpsertedContact,
  UpsertRequest,
} from '../../../libs/audience/src/application/ports/contact-upserts.port.js';
import {
  ChangedChoice,
  ConsentOfAddress,
  SubscriptionChoice,
  SubscriptionRepository,
  TopicOfContact,
} from '../../../libs/audience/src/application/ports/topic-repository.port.js';
import { RecordChanges } from '../../../libs/audience/src/application/record-changes.js';
import { UpsertContact } from '../../../libs/audience/src/application/upsert-contact.use-case.js';
import { WriteGroups } from '../../../libs/audience/src/application/write-groups.js';
import { ContactChange, Unsubscribe } from '../../../libs/audience/src/domain/contact-change.js';
import { Segment, SegmentFilter } from '../../../libs/audience/src/domain/segment.js';
import { Subscription, Topic } from '../../../libs/audience/src/domain/topic.js';
import { InMemorySuppressionRepository, PlainAddressHashes } from './in-memory-suppressions.js';
import { FakeClock } from './fake-clock.js';
import { InMemoryContacts } from './in-memory-contacts.js';
import { InMemoryMemberships, InMemoryProperties, InMemorySegments, InMemoryTopics } from './in-memory-groups.js';
import { RecordedTeamEvents } from './recorded-team-events.js';

class InMemoryHistory extends ContactHistory {
  private readonly rows = new InMemoryRows<ContactChange>();
  readonly unsubscribes: Unsubscribe[] = [];

  async append(changes: readonly ContactChange[], transaction: Transaction): Promise<void> {
    for (const change of changes) this.rows.set(change, transaction);
  }

  async appendUnsubscribes(unsubscribes: readonly Unsubscribe[]): Promise<void> {
    this.unsubscribes.push(...unsubscribes);
  }

  async list(teamId: string, contactId: string, page: PageRequest): Promise<Page<ContactChange>> {
    return this.rows.page(page, (row) => row.teamId === teamId && row.contactId === contactId);
  }
}

/** Remembers removals. It removes nothing: the rows in memory are removed at once. */
class RecordedRemovals extends Removals {
  readonly added: Removal[] = [];

  async add(removal: Removal): Promise<void> {
    this.added.push(removal);
  }

  async step(): Promise<boolean> {
    return false;
  }

  async removeHistory(): Promise<boolean> {
    return false;
  }
}

class InMemorySubscriptions extends SubscriptionRepository {
  private readonly rows = new InMemoryRows<SubscriptionChoice & { readonly id: string }>();

  constructor(
    private readonly contacts: InMemoryContacts,
    private readonly topics: InMemoryTopics,
  ) {
    super();
  }

  async set(
    choices: readonly SubscriptionChoice[],
    _now: Date,
    transaction: Transaction,
  ): Promise<readonly ChangedChoice[]> {
    return choices.flatMap((choice) => {
      const from = this.chosen(choice.contactId, choice.topicId);
      if (from === choice.subscription) return [];
      this.rows.set({ ...choice, id: `${choice.contactId} ${choice.topicId}` }, transaction);
      const before = from ?? this.topics.rows.get(choice.topicId)?.defaultSubscription ?? 'opt_out';
      return [{ ...choice, from, before }];
    });
  }

  async topicsOf(teamId: string, contactId: string, page: PageRequest): Promise<Page<TopicOfContact>> {
    const topics = this.topics.rows.where((topic) => topic.teamId === teamId).reverse();
    return pageOf(
      page,
      topics.map((topic) => ({ id: topic.id, topic, chosen: this.chosen(contactId, topic.id) })),
    );
  }

  consents(
    asked: readonly { readonly teamId: string; readonly email: string; readonly topicId: string | null }[],
  ): Promise<readonly ConsentOfAddress[]> {
    return Promise.all(
      asked.map(async ({ teamId, email, topicId }) => {
        const contact = await this.contacts.find(teamId, { email });
        const topic = topicId === null ? undefined : await this.topics.find(teamId, topicId);
        return {
          teamId,
          email,
          topicId,
          unsubscribed: contact?.unsubscribed ?? false,
          chosen: contact === undefined || topicId === null ? null : this.chosen(contact.id, topicId),
          defaultSubscription: topic?.defaultSubscription ?? null,
        };
      }),
    );
  }

  private chosen(contactId: string, topicId: string): Subscription | null {
    return this.rows.get(`${contactId} ${topicId}`)?.subscription ?? null;
  }
}

class DirectUpserts extends ContactUpserts {
  constructor(
    private readonly apply: ApplyUpserts,
    private readonly work: InMemoryUnitOfWork,
  ) {
    super();
  }

  async upsert(request: UpsertRequest): Promise<UpsertedContact> {
    const [result] = await this.work.run((transaction) => this.apply.apply([request], transaction));
    if (result === undefined || 'error' in result) throw result?.error;
    return result.value;
  }
}

/** The audience of one team, without a database. */
export class InMemoryAudience {
  readonly apiKeyId = newId();
  readonly principal = Principal.ofApiKey({
    id: this.apiKeyId,
    teamId: this.teamId,
    permission: 'full_access',
    domainId: null,
  });
  readonly sender = Principal.ofApiKey({
    id: newId(),
    teamId: this.teamId,
    permission: 'sending_access',
    domainId: null,
  });
  readonly stranger = Principal.ofApiKey({ id: newId(), teamId: newId(), permission: 'full_access', domainId: null });
  readonly clock = new FakeClock();
  readonly work = new InMemoryUnitOfWork();
  readonly events = new RecordedTeamEvents();
  readonly segments = new InMemorySegments();
  readonly memberships = new InMemoryMemberships(this.segments);
  readonly contacts = new InMemoryContacts(this.memberships);
  readonly topics = new InMemoryTopics();
  readonly subscriptions = new InMemorySubscriptions(this.contacts, this.topics);
  readonly properties = new InMemoryProperties();
  readonly history = new InMemoryHistory();
  readonly removals = new RecordedRemovals();
  readonly suppressions = new InMemorySuppressionRepository();
  readonly conceal = new Suppressions(this.suppressions, new PlainAddressHashes(), this.events, this.work, this.clock);
  readonly recorder = new RecordChanges(this.memberships, this.history, this.events);
  readonly apply = new ApplyUpserts(
    new CheckReferences(this.properties, this.segments, this.topics),
    this.contacts,
    new WriteGroups(this.memberships, this.subscriptions),
    this.recorder,
    this.clock,
  );
  readonly upserts = new DirectUpserts(this.apply, this.work);

  constructor(readonly teamId: string = newId()) {}

  /** Returns the id of the contact. */
  async add(email: string, fields: Partial<UpsertRequest> = {}): Promise<string> {
    const contact = { email, patch: {}, segmentIds: [], topics: [], ...fields };
    return (await new UpsertContact(this.upserts, this.apply).upsert(this.principal, contact)).id;
  }

  addSegment(filter: SegmentFilter | null = null): string {
    const segment: Segment = { ...this.owned(), name: 'Segment', filter };
    this.segments.rows.set(segment);
    return segment.id;
  }

  addTopic(defaultSubscription: Subscription = 'opt_in'): string {
    const topic: Topic = {
      ...this.owned(),
      name: 'Topic',
      description: null,
      defaultSubscription,
      visibility: 'private',
    };
    this.topics.rows.set(topic);
    return topic.id;
  }

  private owned(): { id: string; teamId: string; createdAt: Date; updatedAt: Date } {
    const now = this.clock.now();
    return { id: newId(now.getTime()), teamId: this.teamId, createdAt: now, updatedAt: now };
  }
}
