import type { Principal } from '#identity';
import { TeamEvents } from '#events';
import { Clock, found, newId, Page, PageRequest, UnitOfWork, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { maxTopics, Subscription, Topic, topicEvent, TopicVisibility } from '../domain/topic.js';
import { Removals } from './ports/contact-repository.port.js';
import { TopicRepository } from './ports/topic-repository.port.js';

export interface NewTopic {
  readonly name: string;
  readonly description: string | null;
  readonly defaultSubscription: Subscription;
  readonly visibility: TopicVisibility;
}

export type TopicPatch = Partial<Omit<NewTopic, 'defaultSubscription'>>;

/** Creates, reads, changes and deletes topics. */
@Injectable()
export class Topics {
  constructor(
    private readonly topics: TopicRepository,
    private readonly removals: Removals,
    private readonly events: TeamEvents,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async create(principal: Principal, fields: NewTopic): Promise<string> {
    principal.require('audience:write');
    const now = this.clock.now();
    const topic: Topic = {
      ...fields,
      id: newId(now.getTime()),
      teamId: principal.teamId,
      createdAt: now,
      updatedAt: now,
    };
    await this.work.run(async (transaction) => {
      if (!(await this.topics.insert(topic, maxTopics, transaction))) {
        throw new ValidationError(`A team may have at most ${maxTopics} topics.`);
      }
      await this.events.append([topicEvent('topic.created', topic, now)], transaction);
    });
    return topic.id;
  }

  list(teamId: string, page: PageRequest): Promise<Page<Topic>> {
    return this.topics.list(teamId, page);
  }

  async find(teamId: string, id: string): Promise<Topic> {
    return found('Topic', await this.topics.find(teamId, id));
  }

  async update(principal: Principal, id: string, patch: TopicPatch): Promise<void> {
    principal.require('audience:write');
    const now = this.clock.now();
    await this.work.run(async (transaction) => {
      const topic = found('Topic', await this.topics.lock(principal.teamId, id, transaction));
      const previous = previousValues(topic, patch);
      if (Object.keys(previous).length === 0) return;
      const updated = { ...topic, ...patch, updatedAt: now };
      await this.topics.update(updated, transaction);
      await this.events.append([topicEvent('topic.updated', updated, now, previous)], transaction);
    });
  }

  async remove(principal: Principal, id: string): Promise<void> {
    principal.require('audience:write');
    const { teamId } = principal;
    const now = this.clock.now();
    await this.work.run(async (transaction) => {
      const topic = found('Topic', await this.topics.lock(teamId, id, transaction));
      await this.topics.delete(topic, transaction);
      await this.removals.add({ kind: 'topic', teamId, subjectId: id }, now, transaction);
      await this.events.append([topicEvent('topic.deleted', { ...topic, updatedAt: now }, now)], transaction);
    });
  }
}

function previousValues(topic: Topic, patch: TopicPatch): Record<string, string | null> {
  const fields = ['name', 'description', 'visibility'] as const;
  const changed = fields.filter((field) => patch[field] !== undefined && patch[field] !== topic[field]);
  return Object.fromEntries(changed.map((field) => [field, topic[field]]));
}
