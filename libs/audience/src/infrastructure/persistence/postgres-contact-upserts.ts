import { GroupCommit } from '#kernel';
import { Database } from '#postgres/database';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { ApplyUpserts, SettledUpsert } from '../../application/apply-upserts.js';
import { ContactUpserts, UpsertedContact, UpsertRequest } from '../../application/ports/contact-upserts.port.js';

/** Requests that wait longer than this for the database are refused, in ms. */
const patienceMs = 10_000;

/**
 * Lets concurrent upserts share transactions. A batch that was committed although its confirmation was lost is written
 * again without effect: its contacts are then as they should be.
 */
@Injectable()
export class PostgresContactUpserts extends ContactUpserts implements OnApplicationShutdown {
  private readonly writer = new GroupCommit<UpsertRequest, UpsertedContact>((requests) => this.write(requests), {
    maxBatch: 128,
    concurrency: 2,
    gatherMs: 0,
    patienceMs,
    ownerOf: ({ teamId }) => teamId,
  });

  constructor(
    private readonly database: Database,
    private readonly apply: ApplyUpserts,
  ) {
    super();
  }

  upsert(request: UpsertRequest): Promise<UpsertedContact> {
    return this.writer.submit(request);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.writer.drain();
  }

  private write(requests: readonly UpsertRequest[]): Promise<readonly SettledUpsert[]> {
    return this.database.run((transaction) => this.apply.apply(requests, transaction));
  }
}
