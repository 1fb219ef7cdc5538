import { Page, PageRequest, Transaction } from '#kernel';
import { Topic } from '../../domain/topic.js';

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
