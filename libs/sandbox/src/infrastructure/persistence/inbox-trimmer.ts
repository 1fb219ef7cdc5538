import { Database } from '#postgres/database';
import { Logger } from '#observability/logging';

export interface InboxLimits {
  readonly messages: number;
  readonly bytes: number;
  /** Fraction of either limit by which the inbox may exceed it before it is trimmed. */
  readonly slack: number;
}

export const defaultLimits: InboxLimits = { messages: 5_000, bytes: 500 * 1024 * 1024, slack: 0.1 };
/** Maximum number of messages removed by one statement. */
const batchSize = 500;

/**
 * Removes the oldest messages once the inbox exceeds its limits. It works in batches, and no caller waits for it.
 *
 * Each process counts only the messages that it adds, and then checks the whole inbox. With several processes the inbox
 * may therefore exceed its limits by one slack per process. The first message after a start triggers a check too.
 */
export class InboxTrimmer {
  private messages = Infinity;
  private bytes = 0;
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
    private readonly limits: InboxLimits,
  ) {}

  noteAdded(size: number): void {
    this.messages++;
    this.bytes += size;
    const { messages, bytes, slack } = this.limits;
    if (this.messages < messages * slack && this.bytes < bytes * slack) return;
    if (this.running !== undefined || this.stopped) return;
    this.messages = 0;
    this.bytes = 0;
    this.running = this.trim()
      .catch((error: unknown) => this.logger.warn({ error }, 'old messages of the sandbox could not be removed'))
      .finally(() => (this.running = undefined));
  }

  /** Resolves when no removal is under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async trim(): Promise<void> {
    const newest = await this.newestToRemove();
    for (let removed = batchSize; newest !== undefined && removed === batchSize && !this.stopped;) {
      removed = await this.database.execute({
        name: 'trim-sandbox-messages',
        text: `DELETE FROM sandbox_messages
               WHERE id IN (SELECT id FROM sandbox_messages WHERE id <= $1 ORDER BY id LIMIT ${batchSize})`,
        values: [newest],
      });
    }
  }

  /** Reads the whole inbox from the newest message on. The inbox is short, and the messages' bytes are not read. */
  private async newestToRemove(): Promise<string | undefined> {
    const [row] = await this.database.query<{ id: string }>({
      name: 'newest-sandbox-message-to-remove',
      text: `SELECT id FROM (
               SELECT id, row_number() OVER newest_first AS position, sum(size) OVER newest_first AS bytes
               FROM sandbox_messages WINDOW newest_first AS (ORDER BY id DESC)
             ) AS counted
             WHERE position > $1 OR bytes > $2 ORDER BY id DESC LIMIT 1`,
      values: [this.limits.messages, this.limits.bytes],
    });
    return row?.id;
  }
}
