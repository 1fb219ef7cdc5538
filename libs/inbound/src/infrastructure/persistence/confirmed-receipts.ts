import { Clock } from '#kernel';
import { Database } from '#platform/database';
import { Timers } from '#platform/timers';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';

const pauseMs = 1_000;
/** Receipts that wait. More are forgotten, which does no harm: they are removed some days later. */
const maxWaiting = 50_000;
const maxPerStatement = 5_000;

/** Removes the receipts of messages whose 250 has arrived, some hundred at once. */
@Injectable()
export class ConfirmedReceipts implements OnApplicationShutdown {
  private readonly waiting = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    timers: Timers,
  ) {
    timers.every(pauseMs, 'removing the receipts of received mail', () => this.remove());
  }

  add(receipt: string): void {
    if (this.waiting.size < maxWaiting) this.waiting.add(receipt);
  }

  /** Those of the receipts that wait here to be removed: messages with them are new. */
  among(receipts: readonly string[]): string[] {
    return this.waiting.size === 0 ? [] : receipts.filter((receipt) => this.waiting.has(receipt));
  }

  /** To be called when receipts were written again. */
  forget(receipts: readonly string[]): void {
    for (const receipt of receipts) this.waiting.delete(receipt);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.remove().catch(() => undefined);
  }

  private async remove(): Promise<void> {
    while (this.waiting.size > 0) {
      const receipts = [...this.waiting].slice(0, maxPerStatement);
      await this.database.execute({
        name: 'remove-received-receipts',
        text: `DELETE FROM received_receipts WHERE digest = ANY (ARRAY(
                 SELECT digest FROM received_receipts WHERE digest = ANY ($1::bytea[]) AND created_at <= $2
                 ORDER BY digest FOR UPDATE))`,
        // Equal bytes that arrive meanwhile write the receipt again.
        values: [receipts.map((receipt) => Buffer.from(receipt, 'hex')), this.clock.now()],
      });
      this.forget(receipts);
    }
  }
}
