import type { Principal } from '#identity';
import { Clock, found, newId, Page, PageRequest, UnitOfWork, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { CheckFilter } from './filters/check-filter.query.js';
import { maxSegments, Segment, SegmentFilter, segmentThing } from '../domain/segment.js';
import { Removals } from './ports/contact-repository.port.js';
import { MembershipRepository, SegmentRepository } from './ports/segment-repository.port.js';

/** Creates, reads, renames and deletes segments. */
@Injectable()
export class Segments {
  constructor(
    private readonly segments: SegmentRepository,
    private readonly members: MembershipRepository,
    private readonly removals: Removals,
    private readonly checkFilter: CheckFilter,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** An empty filter is none. */
  async create(principal: Principal, name: string, given: SegmentFilter | null = null): Promise<Segment> {
    principal.require('audience:write');
    const filter = given === null || Object.keys(given).length === 0 ? null : given;
    if (filter !== null) await this.checkFilter.check(principal.teamId, filter);
    const now = this.clock.now();
    const { teamId } = principal;
    const segment = { id: newId(now.getTime()), teamId, name, filter, createdAt: now, updatedAt: now };
    const inserted = await this.work.run((transaction) => this.segments.insert(segment, maxSegments, transaction));
    if (!inserted) throw new ValidationError(`A team may have at most ${maxSegments} segments.`);
    return segment;
  }

  list(teamId: string, page: PageRequest): Promise<Page<Segment>> {
    return this.segments.list(teamId, page);
  }

  /** The number of contacts of each segment without a filter. */
  async sizesOf(segments: readonly Segment[]): Promise<ReadonlyMap<string, number>> {
    const lists = segments.filter(({ filter }) => filter === null).map(({ id }) => id);
    const sizes = await this.members.sizesOf(lists);
    return new Map(lists.map((id) => [id, sizes.get(id) ?? 0]));
  }

  async find(teamId: string, id: string): Promise<Segment> {
    return found(segmentThing, await this.segments.find(teamId, id));
  }

  async rename(principal: Principal, id: string, name: string): Promise<void> {
    principal.require('audience:write');
    const segment = await this.find(principal.teamId, id);
    const renamed = { ...segment, name, updatedAt: this.clock.now() };
    const isThere = await this.work.run((transaction) => this.segments.update(renamed, transaction));
    found(segmentThing, isThere || undefined);
  }

  /** Nothing happens if the team has no such segment. Its contacts stay. */
  async remove(principal: Principal, id: string): Promise<void> {
    principal.require('audience:write');
    const { teamId } = principal;
    await this.work.run(async (transaction) => {
      const removed = await this.segments.delete(teamId, id, transaction);
      if (!removed) return;
      await this.removals.add({ kind: 'segment', teamId, subjectId: id }, this.clock.now(), transaction);
    });
  }
}
