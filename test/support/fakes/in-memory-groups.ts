import { newId, Page, pageOf, PageRequest, Transaction } from '#kernel';
import { InMemoryRows } from './in-memory-rows.js';
import {
  MembershipRepository,
  SegmentMembership,
  SegmentOfContact,
  SegmentRepository,
} from '../../../libs/audience/src/application/ports/segment-repository.port.js';
import {
  PropertyInsertion,
  PropertyRepository,
} from '../../../libs/audience/src/application/ports/contact-repository.port.js';
import { TopicRepository } from '../../../libs/audience/src/application/ports/topic-repository.port.js';
import { ContactProperty } from '../../../libs/audience/src/domain/property.js';
import { Segment } from '../../../libs/audience/src/domain/segment.js';
import { Topic } from '../../../libs/audience/src/domain/topic.js';

export class InMemorySegments extends SegmentRepository {
  readonly rows = new InMemoryRows<Segment>();

  async insert(segment: Segment, max: number, transaction: Transaction): Promise<boolean> {
    if ((await this.count(segment.teamId)) >= max) return false;
    this.rows.set(segment, transaction);
    return true;
  }

  async find(teamId: string, id: string): Promise<Segment | undefined> {
    return ofTeam(this.rows.get(id), teamId);
  }

  async hold(ids: readonly string[]): Promise<readonly Segment[]> {
    return this.rows.where(({ id }) => ids.includes(id));
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Segment>> {
    return this.rows.page(page, (row) => row.teamId === teamId);
  }

  async update(segment: Segment, transaction: Transaction): Promise<boolean> {
    if (ofTeam(this.rows.get(segment.id), segment.teamId) === undefined) return false;
    this.rows.set(segment, transaction);
    return true;
  }

  async delete(teamId: string, id: string, transaction: Transaction): Promise<boolean> {
    return ofTeam(this.rows.get(id), teamId) !== undefined && this.rows.delete(id, transaction);
  }

  async count(teamId: string): Promise<number> {
    return this.rows.where((row) => row.teamId === teamId).length;
  }
}

type MembershipRow = SegmentMembership & { readonly id: string; readonly createdAt: Date };

export class InMemoryMemberships extends MembershipRepository {
  private readonly rows = new InMemoryRows<MembershipRow>();

  constructor(private readonly segments: InMemorySegments) {
    super();
  }

  has(segmentId: string, contactId: string): boolean {
    return this.rows.get(`${segmentId} ${contactId}`) !== undefined;
  }

  removeContact(contactId: string, transaction: Transaction): void {
    for (const { id } of this.rows.where((row) => row.contactId === contactId)) this.rows.delete(id, transaction);
  }

  async add(
    members: readonly SegmentMembership[],
    now: Date,
    transaction: Transaction,
  ): Promise<readonly SegmentMembership[]> {
    return members.filter((member) => {
      if (this.has(member.segmentId, member.contactId)) return false;
      this.rows.set({ ...member, id: `${member.segmentId} ${member.contactId}`, createdAt: now }, transaction);
      return true;
    });
  }

  async remove({ segmentId, contactId }: SegmentMembership, transaction: Transaction): Promise<boolean> {
    return this.rows.delete(`${segmentId} ${contactId}`, transaction);
  }

  async sizesOf(segmentIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return new Map(segmentIds.map((id) => [id, this.rows.where(({ segmentId }) => segmentId === id).length]));
  }

  async segmentIdsOf(contactIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const idsOf = (contactId: string): string[] =>
      this.rows.where((row) => row.contactId === contactId).map(({ segmentId }) => segmentId);
    return new Map(contactIds.map((id) => [id, idsOf(id)]));
  }

  async segmentsOf(_teamId: string, contactId: string, page: PageRequest): Promise<Page<SegmentOfContact>> {
    const joined = this.rows.where((row) => row.contactId === contactId).reverse();
    return pageOf(
      page,
      joined.map(({ segmentId, createdAt }) => ({
        id: segmentId,
        name: this.segments.rows.get(segmentId)?.name ?? '',
        createdAt,
      })),
    );
  }
}

export class InMemoryTopics extends TopicRepository {
  readonly rows = new InMemoryRows<Topic>();

  async insert(topic: Topic, max: number, transaction: Transaction): Promise<boolean> {
    if (this.rows.where(({ teamId }) => teamId === topic.teamId).length >= max) return false;
    this.rows.set(topic, transaction);
    return true;
  }

  async find(teamId: string, id: string): Promise<Topic | undefined> {
    return ofTeam(this.rows.get(id), teamId);
  }

  lock(teamId: string, id: string): Promise<Topic | undefined> {
    return this.find(teamId, id);
  }

  async hold(ids: readonly string[]): Promise<readonly Topic[]> {
    return this.rows.where(({ id }) => ids.includes(id));
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Topic>> {
    return this.rows.page(page, (row) => row.teamId === teamId);
  }

  async update(topic: Topic, transaction: Transaction): Promise<void> {
    this.rows.set(topic, transaction);
  }

  async delete({ id }: Topic, transaction: Transaction): Promise<void> {
    this.rows.delete(id, transaction);
  }
}

export class InMemoryProperties extends PropertyRepository {
  readonly rows = new InMemoryRows<ContactProperty>();
  /** Keys whose values are still being removed. */
  readonly inRemoval = new Set<string>();

  async insert(property: ContactProperty, max: number, transaction: Transaction): Promise<PropertyInsertion> {
    const known = this.rows.where(({ teamId }) => teamId === property.teamId);
    if (known.some(({ key }) => key === property.key)) return 'exists';
    if (this.inRemoval.has(property.key)) return 'in-removal';
    if (known.length >= max) return 'too-many';
    this.rows.set(property, transaction);
    return 'inserted';
  }

  async find(teamId: string, id: string): Promise<ContactProperty | undefined> {
    return ofTeam(this.rows.get(id), teamId);
  }

  async list(teamId: string, page: PageRequest): Promise<Page<ContactProperty>> {
    return this.rows.page(page, (row) => row.teamId === teamId);
  }

  async ofTeams(teamIds: readonly string[]): Promise<readonly ContactProperty[]> {
    return this.rows.where(({ teamId }) => teamIds.includes(teamId));
  }

  async update(property: ContactProperty, transaction: Transaction): Promise<boolean> {
    if ((await this.find(property.teamId, property.id)) === undefined) return false;
    this.rows.set(property, transaction);
    return true;
  }

  async delete(teamId: string, id: string, transaction: Transaction): Promise<ContactProperty | undefined> {
    const property = await this.find(teamId, id);
    if (property !== undefined) this.rows.delete(id, transaction);
    return property;
  }

  /** For specs: a property without the use case. */
  add(teamId: string, fields: Pick<ContactProperty, 'key' | 'type' | 'fallbackValue'>): ContactProperty {
    const now = new Date();
    const property = { ...fields, id: newId(), teamId, createdAt: now, updatedAt: now };
    this.rows.set(property);
    return property;
  }
}

function ofTeam<Row extends { readonly teamId: string }>(row: Row | undefined, teamId: string): Row | undefined {
  return row?.teamId === teamId ? row : undefined;
}
