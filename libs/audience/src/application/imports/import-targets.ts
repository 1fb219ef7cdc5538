import { Clock, newId, Transaction, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { checkKey, maxProperties, PropertyInRemovalError, PropertyType } from '../../domain/property.js';
import { requireStatic } from '../../domain/segment.js';
import { PropertyRepository } from '../ports/contact-repository.port.js';
import { SegmentRepository } from '../ports/segment-repository.port.js';
import { TopicRepository } from '../ports/topic-repository.port.js';

/** What a file of contacts is imported into. */
export interface NamedTargets {
  readonly properties: readonly { readonly key: string; readonly type: PropertyType }[];
  readonly segmentIds: readonly string[];
  readonly topicIds: readonly string[];
}

/** Checks what an import names before it begins, and creates the properties that do not exist yet. */
@Injectable()
export class ImportTargets {
  constructor(
    private readonly properties: PropertyRepository,
    private readonly segments: SegmentRepository,
    private readonly topics: TopicRepository,
    private readonly clock: Clock,
  ) {}

  /** The properties of a team, type by key. */
  async propertyTypes(teamId: string): Promise<ReadonlyMap<string, PropertyType>> {
    const properties = await this.properties.ofTeams([teamId]);
    return new Map(properties.map(({ key, type }) => [key, type]));
  }

  /** Throws a DomainError if the team does not have what is named, or has a property of another type. */
  async prepare(teamId: string, targets: NamedTargets, transaction: Transaction): Promise<void> {
    await this.checkSegments(teamId, targets.segmentIds, transaction);
    await this.checkTopics(teamId, targets.topicIds, transaction);
    const known = await this.propertyTypes(teamId);
    for (const { key, type } of targets.properties) {
      const actual = known.get(key);
      if (actual === undefined) await this.create(teamId, key, type, transaction);
      else if (actual !== type) {
        throw new ValidationError(`The contact property \`${key}\` exists already, with values of the type ${actual}.`);
      }
    }
  }

  private async checkSegments(teamId: string, ids: readonly string[], transaction: Transaction): Promise<void> {
    if (ids.length === 0) return;
    const segments = await this.segments.hold(ids, transaction);
    for (const id of ids) {
      const segment = segments.find((known) => known.id === id && known.teamId === teamId);
      if (segment === undefined) throw new ValidationError(`The segment \`${id}\` does not exist.`);
      requireStatic(segment);
    }
  }

  private async checkTopics(teamId: string, ids: readonly string[], transaction: Transaction): Promise<void> {
    if (ids.length === 0) return;
    const topics = await this.topics.hold(ids, transaction);
    for (const id of ids) {
      if (topics.some((topic) => topic.id === id && topic.teamId === teamId)) continue;
      throw new ValidationError(`The topic \`${id}\` does not exist.`);
    }
  }

  private async create(teamId: string, key: string, type: PropertyType, transaction: Transaction): Promise<void> {
    const now = this.clock.now();
    const property = {
      id: newId(now.getTime()),
      teamId,
      key: checkKey(key),
      type,
      fallbackValue: null,
      createdAt: now,
      updatedAt: now,
    };
    switch (await this.properties.insert(property, maxProperties, transaction)) {
      case 'inserted':
        return;
      // Someone made it a moment ago. Its type was not seen, so the import is to be tried again.
      case 'exists':
      case 'in-removal':
        throw new PropertyInRemovalError(key);
      case 'too-many':
        throw new ValidationError(`A team may have at most ${maxProperties} contact properties.`);
    }
  }
}
