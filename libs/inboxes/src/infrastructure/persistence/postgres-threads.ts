import { noteThread } from '#inbound';
import { Page, pageOf, PageRequest, Transaction, ValidationError } from '#kernel';
import { Database, keysetCondition, ReadDatabase, statementsOf } from '#postgres/database';
import type { DatabaseTransaction } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import {
  ThreadSearch,
  EmailToFile,
  FiledEmail,
  FoundThread,
  LabelChange,
  ThreadChange,
  ThreadChanges,
  ThreadFilter,
  ThreadPlace,
  ThreadRepository,
} from '../../application/ports/thread-repository.port.js';
import { InboxEmail, InboxThread, ThreadFolder } from '../../domain/thread.js';
import { addEmail, countInThread } from './file-email.js';
import {
  emailColumns,
  InboxEmailRow,
  listThreads,
  newestEmail,
  searchThreads,
  threadColumns,
  ThreadRow,
} from './list-threads.js';

@Injectable()
export class PostgresThreads extends ThreadRepository {
  constructor(
    private readonly database: Database,
    private readonly reads: ReadDatabase,
  ) {
    super();
  }

  async file(
    inboxId: string,
    email: EmailToFile,
    place: ThreadPlace,
    given: Transaction,
  ): Promise<FiledEmail | undefined> {
    const transaction = statementsOf(given);
    const [inbox] = await transaction.query<{ isFiled: boolean; teamId: string }>({
      text: `SELECT EXISTS (SELECT FROM inbox_emails WHERE inbox_id = $1 AND id = $2) AS "isFiled", team_id AS "teamId"
             FROM inboxes WHERE id = $1 FOR KEY SHARE`,
      values: [inboxId, email.id],
    });
    if (inbox === undefined || inbox.isFiled) return undefined;
    const thread = await countInThread(inboxId, email, place, transaction);
    if (!(await addEmail(inboxId, email, thread, transaction))) throw new Error('The email was filed meanwhile');
    if (email.direction === 'inbound') {
      await transaction.execute({
        text: 'UPDATE inboxes SET last_received_at = greatest(last_received_at, $2) WHERE id = $1',
        values: [inboxId, email.receivedAt],
      });
    } else if (email.messageId !== null) {
      await noteThread(inbox.teamId, email.messageId, thread.root, email.receivedAt, transaction);
    }
    const filed = await this.threadOf(inboxId, thread.id, transaction);
    const { text: _, ...fields } = email;
    return {
      email: { ...fields, inboxId, threadId: thread.id, isRead: email.direction === 'outbound' },
      thread: filed as InboxThread,
      isNewThread: thread.isNew,
      movedFrom: thread.movedFrom,
    };
  }

  find(inboxId: string, id: string): Promise<InboxThread | undefined> {
    return this.threadOf(inboxId, id, this.database);
  }

  list(inboxId: string, filter: ThreadFilter, page: PageRequest): Promise<Page<InboxThread>> {
    // Threads with a label may be many: they are read like those of a search.
    return listThreads(filter.labels.length > 0 ? this.reads : this.database, inboxId, filter, page);
  }

  search(inboxId: string, filter: ThreadFilter, search: ThreadSearch, page: PageRequest): Promise<Page<FoundThread>> {
    return searchThreads(this.reads, inboxId, filter, search, page);
  }

  async change(
    inboxId: string,
    id: string,
    { isRead, folder, assigneeEmail }: ThreadChanges,
    now: Date,
    given: Transaction,
  ): Promise<ThreadChange | undefined> {
    const transaction = statementsOf(given);
    const before = await this.locked(inboxId, id, transaction);
    if (before === undefined) return undefined;
    const assignedFrom =
      assigneeEmail === undefined ? undefined : await this.assign(inboxId, id, assigneeEmail, transaction);
    await transaction.execute({
      text: `UPDATE inbox_threads SET
               is_unread = coalesce(NOT $2::boolean, is_unread),
               read_through = CASE WHEN $2 THEN last_no WHEN NOT $2 THEN 0 ELSE read_through END,
               folder = coalesce($3, folder),
               trashed_at = CASE WHEN coalesce($3, folder) = 'trash' THEN coalesce(trashed_at, $4) END
             WHERE id = $1`,
      values: [id, isRead ?? null, folder ?? null, now],
    });
    const thread = (await this.threadOf(inboxId, id, transaction)) as InboxThread;
    return {
      thread,
      movedFrom: thread.folder === before ? undefined : before,
      assignedFrom: thread.assigneeEmail === assignedFrom ? undefined : assignedFrom,
    };
  }

  async addressOf(inboxId: string, userId: string): Promise<string | undefined> {
    const [member] = await this.database.query<{ email: string }>({
      text: `SELECT m.email FROM inboxes i JOIN published_member_addresses m ON m.team_id = i.team_id
             WHERE i.id = $1 AND m.user_id = $2`,
      values: [inboxId, userId],
    });
    return member?.email;
  }

  async label(
    inboxId: string,
    id: string,
    how: 'add' | 'remove' | 'replace',
    labels: readonly string[],
    given: Transaction,
  ): Promise<LabelChange | undefined> {
    const transaction = statementsOf(given);
    if ((await this.locked(inboxId, id, transaction)) === undefined) return undefined;
    const before = (await this.threadOf(inboxId, id, transaction)) as InboxThread;
    const known = before.labels.map((label) => label.id);
    const wanted =
      how === 'replace'
        ? labels
        : how === 'add'
          ? [...known, ...labels]
          : known.filter((label) => !labels.includes(label));
    await transaction.execute({
      text: `UPDATE inbox_threads SET labels = ARRAY(
               SELECT id FROM inbox_labels WHERE inbox_id = $2 AND id = ANY ($3::uuid[]) ORDER BY id)
             WHERE id = $1`,
      values: [id, inboxId, wanted],
    });
    return { thread: (await this.threadOf(inboxId, id, transaction)) as InboxThread, before };
  }

  async emails(inboxId: string, threadId: string, page: PageRequest): Promise<Page<InboxEmail>> {
    const { condition, order, values } = keysetCondition(page, 3);
    const read = await this.database.query<InboxEmailRow>({
      text: `SELECT ${emailColumns} FROM (
               SELECT * FROM inbox_emails WHERE thread_id = $2 AND inbox_id = $1 ${condition} ${order}
             ) e JOIN inbox_threads t ON t.id = e.thread_id ${order.replace('BY id', 'BY e.id')}`,
      values: [inboxId, threadId, ...values],
    });
    return pageOf(page, read);
  }

  async email(inboxId: string, threadId: string, id: string): Promise<InboxEmail | undefined> {
    const [email] = await this.database.query<InboxEmailRow>({
      text: `SELECT ${emailColumns} FROM inbox_emails e JOIN inbox_threads t ON t.id = e.thread_id
             WHERE e.inbox_id = $1 AND e.id = $3 AND e.thread_id = $2`,
      values: [inboxId, threadId, id],
    });
    return email;
  }

  private async threadOf(
    inboxId: string,
    id: string,
    reader: Pick<DatabaseTransaction, 'query'> | Database,
  ): Promise<InboxThread | undefined> {
    const [thread] = await reader.query<ThreadRow>({
      text: `SELECT ${threadColumns} FROM inbox_threads t ${newestEmail} WHERE t.inbox_id = $1 AND t.id = $2`,
      values: [inboxId, id],
    });
    return thread;
  }

  /** Returns the address of who looked after the thread before. */
  private async assign(
    inboxId: string,
    id: string,
    email: string | null,
    transaction: DatabaseTransaction,
  ): Promise<string | null> {
    const before = (await this.threadOf(inboxId, id, transaction)) as InboxThread;
    const [member] = await transaction.query<{ id: string }>({
      text: `SELECT m.user_id AS id FROM inboxes i JOIN published_member_addresses m ON m.team_id = i.team_id
             WHERE i.id = $1 AND lower(m.email) = lower($2)`,
      values: [inboxId, email],
    });
    if (member === undefined && email !== null) {
      throw new ValidationError('The `assignee_email` must be the address of a member of your team.');
    }
    await transaction.execute({
      text: 'UPDATE inbox_threads SET assignee_id = $2 WHERE id = $1',
      values: [id, member?.id ?? null],
    });
    return before.assigneeEmail;
  }

  /** Locks a thread. Returns its folder. */
  private async locked(
    inboxId: string,
    id: string,
    transaction: DatabaseTransaction,
  ): Promise<ThreadFolder | undefined> {
    const [row] = await transaction.query<{ folder: ThreadFolder }>({
      text: 'SELECT folder FROM inbox_threads WHERE inbox_id = $1 AND id = $2 FOR UPDATE',
      values: [inboxId, id],
    });
    return row?.folder;
  }
}
