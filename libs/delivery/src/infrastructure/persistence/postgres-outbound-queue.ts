import { domainOf, Transaction } from '#kernel';
import { OutboundQueue, QueuedRecipient, RecipientOfEmail } from '#emails';
import { statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { LaneNames } from '../../application/ports/lane-names.port.js';
import { LaneSignal } from '../../application/ports/lane-signal.port.js';

/**
 * Within this time every process has been told that the domain is deleted. Before, a process might sign with a cached
 * key.
 */
const untilKnown = `interval '3 seconds'`;

/** Puts accepted mail into the lane of its destination. */
@Injectable()
export class PostgresOutboundQueue extends OutboundQueue {
  constructor(
    private readonly lanes: LaneNames,
    private readonly signal: LaneSignal,
  ) {
    super();
  }

  async enqueue(recipients: readonly QueuedRecipient[], transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      name: 'enqueue-recipients',
      text: `INSERT INTO outbound_queue (email_id, recipient_no, size, due_at, queued_at, lane, address, team_id, domain_id, mail_from,
                                         is_personal, is_bulk)
             SELECT email_id, no, size, queued_at, queued_at, lane, address, team_id, domain_id, mail_from, is_personal,
                    is_bulk
             FROM json_to_recordset($1::json) AS r (
               email_id uuid, no smallint, size int, queued_at timestamptz, lane text, address text,
               team_id uuid, domain_id uuid, mail_from text, is_personal boolean, is_bulk boolean)`,
      values: [
        JSON.stringify(
          recipients.map((recipient) => ({
            email_id: recipient.emailId,
            no: recipient.recipientNo,
            size: recipient.size,
            queued_at: recipient.queuedAt,
            lane: this.laneOf(recipient),
            address: recipient.address,
            team_id: recipient.teamId,
            domain_id: recipient.domainId,
            mail_from: recipient.mailFrom,
            is_personal: recipient.isPersonal || undefined,
            is_bulk: recipient.isBulk === true || undefined,
          })),
        ),
      ],
    });
  }

  /**
   * Reads all rows that wait for another attempt, because the queue has no index by domain. Domains are rarely deleted.
   */
  async makeDue(domainId: string, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      text: `UPDATE outbound_queue q SET due_at = now() + ${untilKnown} FROM published_emails e
             WHERE e.id = q.email_id AND e.domain_id = $1 AND q.worker_id IS NULL AND q.due_at > now() + ${untilKnown}`,
      values: [domainId],
    });
  }

  /** Waits for no lock: claims and outcomes lock the same rows. */
  withdraw(recipients: readonly RecipientOfEmail[], transaction: Transaction): Promise<readonly RecipientOfEmail[]> {
    return statementsOf(transaction).query<RecipientOfEmail & Record<string, unknown>>({
      name: 'withdraw-recipients',
      text: `WITH waiting AS MATERIALIZED (
               SELECT q.email_id, q.recipient_no FROM unnest($1::uuid[], $2::smallint[]) AS r (email_id, no)
               JOIN outbound_queue q ON q.email_id = r.email_id AND q.recipient_no = r.no
               WHERE q.email_id = ANY ($1::uuid[]) AND q.worker_id IS NULL FOR UPDATE OF q SKIP LOCKED
             )
             DELETE FROM outbound_queue q USING waiting w
             WHERE q.email_id = ANY ($1::uuid[]) AND q.email_id = w.email_id AND q.recipient_no = w.recipient_no
             RETURNING q.email_id AS "emailId", q.recipient_no AS "recipientNo"`,
      values: [recipients.map(({ emailId }) => emailId), recipients.map(({ recipientNo }) => recipientNo)],
    });
  }

  wake(recipients: readonly QueuedRecipient[]): void {
    const teamsOf = new Map<string, Set<string>>();
    for (const recipient of recipients) {
      const lane = this.laneOf(recipient);
      const teams = teamsOf.get(lane);
      if (teams === undefined) teamsOf.set(lane, new Set([recipient.teamId]));
      else teams.add(recipient.teamId);
    }
    for (const [lane, teams] of teamsOf) for (const teamId of teams) this.signal.wake(lane, teamId);
  }

  private laneOf(recipient: QueuedRecipient): string {
    return this.lanes.laneOf({ region: recipient.region, recipientDomain: domainOf(recipient.address) });
  }
}
