import { Transaction, WorkPlaces } from '#kernel';
import { Database, LeasesInTurn, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { InboxArrival, ArrivalQueue } from '../../application/ports/arrival-queue.port.js';

@Injectable()
export class PostgresArrivals extends ArrivalQueue {
  private readonly leases = new LeasesInTurn<InboxArrival>({
    table: 'inbox_arrivals',
    key: 'received_id, inbox_id',
    returning: 'w.received_id AS "receivedId", w.inbox_id AS "inboxId", w.team_id AS "teamId", w.tries AS failures',
  });

  constructor(private readonly database: Database) {
    super();
  }

  take(now: Date, leaseUntil: Date, places: WorkPlaces): Promise<readonly InboxArrival[]> {
    return this.leases.take(this.database, now, leaseUntil, places);
  }

  async done({ receivedId, inboxId }: InboxArrival, transaction?: Transaction): Promise<void> {
    await (transaction === undefined ? this.database : statementsOf(transaction)).execute({
      text: 'DELETE FROM inbox_arrivals WHERE received_id = $1 AND inbox_id = $2',
      values: [receivedId, inboxId],
    });
  }

  async failed({ receivedId, inboxId }: InboxArrival, dueAt: Date): Promise<void> {
    await this.database.execute({
      text: 'UPDATE inbox_arrivals SET due_at = $3, tries = tries + 1 WHERE received_id = $1 AND inbox_id = $2',
      values: [receivedId, inboxId, dueAt],
    });
  }
}
