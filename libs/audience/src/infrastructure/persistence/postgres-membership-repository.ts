import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import { Database, keysetCondition, Row, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import {
  SegmentMembership,
  MembershipRepository,
  SegmentOfContact,
} from '../../application/ports/segment-repository.port.js';
import { maxShownSegments } from '../../domain/segment.js';

@Injectable()
export class PostgresMembershipRepository extends MembershipRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async add(
    members: readonly SegmentMembership[],
    now: Date,
    transaction: Transaction,
  ): Promise<readonly SegmentMembership[]> {
    return statementsOf(transaction).query<Row<SegmentMembership>>({
      name: 'add-members',
      text: `INSERT INTO segment_contacts (segment_id, contact_id, team_id, created_at)
             SELECT segment_id, contact_id, team_id, $4
             FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS given (segment_id, contact_id, team_id)
             ORDER BY contact_id, segment_id
             ON CONFLICT DO NOTHING
             RETURNING segment_id AS "segmentId", contact_id AS "contactId", team_id AS "teamId"`,
      values: [
        members.map(({ segmentId }) => segmentId),
        members.map(({ contactId }) => contactId),
        members.map(({ teamId }) => teamId),
        now,
      ],
    });
  }

  async remove({ teamId, segmentId, contactId }: SegmentMembership, transaction: Transaction): Promise<boolean> {
    const removed = await statementsOf(transaction).execute({
      text: 'DELETE FROM segment_contacts WHERE segment_id = $1 AND contact_id = $2 AND team_id = $3',
      values: [segmentId, contactId, teamId],
    });
    return removed > 0;
  }

  async sizesOf(segmentIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.query<{ id: string; size: number }>({
      text: `SELECT segment_id AS id, sum(contacts)::float8 AS size FROM segment_sizes
             WHERE segment_id = ANY($1::uuid[]) GROUP BY 1`,
      values: [segmentIds],
    });
    return new Map(rows.map(({ id, size }) => [id, size]));
  }

  async segmentIdsOf(
    contactIds: readonly string[],
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await statementsOf(transaction).query<{ id: string; segments: string[] }>({
      name: 'segments-of-contacts',
      text: `SELECT c.id, array(SELECT m.segment_id FROM segment_contacts m JOIN segments s ON s.id = m.segment_id
                                WHERE m.contact_id = c.id ORDER BY m.segment_id LIMIT ${maxShownSegments}) AS segments
             FROM unnest($1::uuid[]) AS c (id)`,
      values: [contactIds],
    });
    return new Map(rows.map(({ id, segments }) => [id, segments]));
  }

  async segmentsOf(teamId: string, contactId: string, page: PageRequest): Promise<Page<SegmentOfContact>> {
    const { condition, order, values } = keysetCondition(page, 3);
    const rows = await this.database.query<Row<SegmentOfContact>>({
      text: `SELECT id, name, joined_at AS "createdAt"
             FROM (SELECT s.id, s.name, m.created_at AS joined_at
                   FROM segment_contacts m JOIN segments s ON s.id = m.segment_id
                   WHERE m.contact_id = $2 AND m.team_id = $1 AND s.team_id = $1) joined
             WHERE true ${condition} ${order}`,
      values: [teamId, contactId, ...values],
    });
    return pageOf(page, rows);
  }
}
