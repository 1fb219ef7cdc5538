import { Transaction, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ContactPatch } from '../domain/contact-patch.js';
import { checkValues, ContactProperty, PropertyType } from '../domain/property.js';
import { requireStatic, Segment } from '../domain/segment.js';
import { Topic } from '../domain/topic.js';
import { UpsertRequest } from './ports/contact-upserts.port.js';
import { PropertyRepository } from './ports/contact-repository.port.js';
import { SegmentRepository } from './ports/segment-repository.port.js';
import { TopicRepository } from './ports/topic-repository.port.js';

/** What the requests of a batch name. Each `check` throws ValidationError for what the team does not have. */
export interface References {
  checkPatch(request: UpsertRequest): ContactPatch;
}

/** Looks up the properties, segments and topics that requests name, with at most one read of each kind for a batch. */
@Injectable()
export class CheckReferences {
  constructor(
    private readonly properties: PropertyRepository,
    private readonly segments: SegmentRepository,
    private readonly topics: TopicRepository,
  ) {}

  async of(requests: readonly UpsertRequest[], transaction: Transaction): Promise<References> {
    const teamIds = new Set(requests.filter(({ patch }) => patch.properties !== undefined).map(({ teamId }) => teamId));
    const segmentIds = new Set(requests.flatMap((request) => request.segmentIds));
    const topicIds = new Set(requests.flatMap(({ topics }) => topics.map(({ topicId }) => topicId)));
    const [properties, segments, topics] = await Promise.all([
      teamIds.size === 0 ? [] : this.properties.ofTeams([...teamIds], transaction),
      segmentIds.size === 0 ? [] : this.segments.hold([...segmentIds], transaction),
      topicIds.size === 0 ? [] : this.topics.hold([...topicIds], transaction),
    ]);
    return referencesOf(properties, segments, topics);
  }
}

export function typesOf(properties: readonly ContactProperty[]): Record<string, PropertyType> {
  return Object.fromEntries(properties.map(({ key, type }) => [key, type]));
}

function referencesOf(
  properties: readonly ContactProperty[],
  segments: readonly Segment[],
  topics: readonly Topic[],
): References {
  const byTeam = new Map<string, ContactProperty[]>();
  for (const property of properties) {
    const known = byTeam.get(property.teamId);
    if (known === undefined) byTeam.set(property.teamId, [property]);
    else known.push(property);
  }
  const types = new Map([...byTeam].map(([teamId, known]) => [teamId, typesOf(known)]));
  const segmentsById = new Map(segments.map((segment) => [segment.id, segment]));
  const topicsById = new Map(topics.map((topic) => [topic.id, topic]));
  return {
    checkPatch({ teamId, patch, segmentIds, topics: choices }) {
      for (const id of segmentIds) {
        const segment = segmentsById.get(id);
        if (segment?.teamId !== teamId) throw new ValidationError(`The segment \`${id}\` does not exist.`);
        requireStatic(segment);
      }
      for (const { topicId } of choices) {
        if (topicsById.get(topicId)?.teamId === teamId) continue;
        throw new ValidationError(`The topic \`${topicId}\` does not exist.`);
      }
      const { properties: given, ...rest } = patch;
      return given === undefined ? rest : { ...rest, properties: checkValues(given, types.get(teamId) ?? {}) };
    },
  };
}
