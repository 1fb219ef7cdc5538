import { Injectable, OnApplicationShutdown, Optional } from '@nestjs/common';
import { GroupCommit, isUuid, NotFoundError, Page, PageRequest, ValidationError } from '#kernel';
import { Database } from '#postgres/database';
import { Logger } from '#observability/logging';
import { UnindexedRows } from '#postgres/privacy';
import { SandboxInbox } from '../../application/ports/inbox.port.js';
import { InboxMessage, ReceivedMessage, Viewer } from '../../domain/inbox-message.js';
import { defaultLimits, InboxTrimmer } from './inbox-trimmer.js';
import { storeStatement } from './store-statement.js';

/** Maximum size of a message that is written together with others. */
const maxSharedBytes = 256 * 1024;
/** Bytes read with one statement. */
const pieceBytes = 1024 * 1024;

const columns = 'id, team_id AS "teamId", "from", recipients AS "to", subject, received_at AS "receivedAt", size';

/** Stores messages in the table `sandbox_messages`, in shared transactions. An `InboxTrimmer` keeps it short. */
@Injectable()
export class PostgresInbox extends SandboxInbox implements OnApplicationShutdown {
  // The sender waits for each reply before its next message, so waiting for more messages is useless: gathering for
  // even a millisecond would halve the rate.
  private readonly small = this.writer(64, 2);
  private readonly large = this.writer(1, 2);
  private readonly trimmer: InboxTrimmer;

  constructor(
    private readonly database: Database,
    logger: Logger,
    @Optional() limits = defaultLimits,
  ) {
    super();
    this.trimmer = new InboxTrimmer(database, logger, limits);
  }

  async add(message: ReceivedMessage): Promise<void> {
    await (message.size > maxSharedBytes ? this.large : this.small).submit(message);
    this.trimmer.noteAdded(message.size);
  }

  async list(viewer: Viewer, page: PageRequest): Promise<Page<InboxMessage>> {
    const cursor = page.after ?? page.before;
    if (cursor !== undefined && !isUuid(cursor)) throw new ValidationError('The cursor must be the id of a message.');
    const backwards = page.before !== undefined;
    const values: unknown[] = [page.limit + 1];
    const conditions = ['true'];
    if (viewer !== 'operator') conditions.push(`team_id = $${values.push(viewer.teamId)}`);
    if (cursor !== undefined) conditions.push(`id ${backwards ? '>' : '<'} $${values.push(cursor)}`);
    const messages = await this.database.query<InboxMessage & Record<string, unknown>>({
      text: `SELECT ${columns} FROM sandbox_messages WHERE ${conditions.join(' AND ')}
             ORDER BY id ${backwards ? 'ASC' : 'DESC'} LIMIT $1`,
      values,
    });
    const items = messages.slice(0, page.limit);
    return { items: backwards ? items.reverse() : items, hasMore: messages.length > page.limit };
  }

  async find(viewer: Viewer, id: string): Promise<InboxMessage | undefined> {
    const [message] = await this.database.query<InboxMessage & Record<string, unknown>>({
      text: `SELECT ${columns} FROM sandbox_messages WHERE id = $1`,
      values: [id],
    });
    return message === undefined || mayRead(viewer, message) ? message : undefined;
  }

  /** The message is stored uncompressed, so that PostgreSQL reads only the bytes of the piece. */
  async *pieces({ id, size }: InboxMessage): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < size; from += pieceBytes) {
      const [row] = await this.database.query<{ piece: Buffer }>({
        name: 'sandbox-message-piece',
        text: `SELECT substring(raw from $2 for $3) AS piece FROM sandbox_messages WHERE id = $1`,
        values: [id, from + 1, pieceBytes],
      });
      // The message was removed while it was read.
      if (row === undefined) throw new NotFoundError('Message');
      yield row.piece;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.small.drain(), this.large.drain()]);
    await this.trimmer.stop();
  }

  private writer(maxBatch: number, concurrency: number): GroupCommit<ReceivedMessage, void> {
    return new GroupCommit((messages) => this.write(messages), { maxBatch, concurrency, gatherMs: 0 });
  }

  private async write(messages: readonly ReceivedMessage[]): Promise<{ value: void }[]> {
    await this.database.execute(storeStatement(messages));
    return messages.map(() => ({ value: undefined }));
  }
}

function mayRead(viewer: Viewer, message: InboxMessage): boolean {
  return viewer === 'operator' || message.teamId === viewer.teamId;
}

/** Of each message as much is searched as has its header and the beginning of its text. */
const searchedBytes = 64 * 1024;

/** The messages of the sandbox that name an address. They are copies for people who test, so they are deleted. */
@Injectable()
export class SandboxData extends UnindexedRows {
  readonly name = 'sandbox';

  protected readonly portion = `
    SELECT id, received_at, "from", recipients, subject, raw FROM sandbox_messages
    WHERE team_id = $1 AND id > $2 ORDER BY id LIMIT $3`;

  protected readonly names = `
    concat_ws(' ', "from", array_to_string(recipients, ' '), subject, encode(substring(raw for ${searchedBytes}), 'escape')) ~ $4`;

  protected readonly record = `
    json_build_object('id', id, 'received_at', received_at, 'from', "from", 'to', recipients, 'subject', subject)`;

  protected readonly clear = `
    DELETE FROM sandbox_messages WHERE team_id = $1 AND id = ANY ($2::uuid[]) AND $3 <> ''`;
}
