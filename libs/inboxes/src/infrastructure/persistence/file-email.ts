import { messageKeyOf } from '#inbound';
import { newId, storableText } from '#kernel';
import type { DatabaseTransaction } from '#postgres/database';
import { EmailToFile, ThreadPlace } from '../../application/ports/thread-repository.port.js';
import { ThreadFolder } from '../../domain/thread.js';

/** Characters of an email that are searched. */
const maxSearched = 64 * 1024;

export interface ThreadOfEmail {
  readonly id: string;
  readonly root: string;
  /** Number of the email in its thread. */
  readonly no: number;
  readonly isNew: boolean;
  readonly movedFrom: ThreadFolder | undefined;
}

interface FoundThread {
  readonly id: string;
  readonly root: string;
  readonly folder: ThreadFolder;
  readonly no: number;
}

/** The thread that begins with the email itself. */
export function ownRoot({ id, messageId }: EmailToFile): string {
  return messageId === null || messageId === '' ? id : messageKeyOf(messageId);
}

/**
 * Counts the email in its thread, which is made if there is none. Two emails of a new thread may come at once: the one
 * that comes second finds the thread of the first.
 */
export async function countInThread(
  inboxId: string,
  email: EmailToFile,
  place: ThreadPlace,
  transaction: DatabaseTransaction,
): Promise<ThreadOfEmail> {
  for (;;) {
    const found = await findThread(inboxId, email, place, transaction);
    if (found !== undefined) return addToThread(found, email, place, transaction);
    const added = await addThread(inboxId, email, place, transaction);
    if (added !== undefined) return added;
  }
}

async function findThread(
  inboxId: string,
  email: EmailToFile,
  place: ThreadPlace,
  transaction: DatabaseTransaction,
): Promise<FoundThread | undefined> {
  const columns = 'id, root, folder, last_no + 1 AS no';
  const [found] =
    'threadId' in place
      ? await transaction.query<FoundThread & Record<string, unknown>>({
          text: `SELECT ${columns} FROM inbox_threads WHERE inbox_id = $1 AND id = $2 FOR UPDATE`,
          values: [inboxId, place.threadId],
        })
      : await transaction.query<FoundThread & Record<string, unknown>>({
          // Programs that name only the message that they answer name one inside of the thread.
          text: `SELECT ${columns} FROM inbox_threads WHERE inbox_id = $1 AND id = coalesce(
                   (SELECT id FROM inbox_threads WHERE inbox_id = $1 AND root = $2),
                   (SELECT thread_id FROM inbox_emails WHERE inbox_id = $1 AND root = $2 LIMIT 1)) FOR UPDATE`,
          values: [inboxId, place.root ?? ownRoot(email)],
        });
  return found;
}

async function addToThread(
  { id, root, folder, no }: FoundThread,
  email: EmailToFile,
  place: ThreadPlace,
  transaction: DatabaseTransaction,
): Promise<ThreadOfEmail> {
  const isInbound = email.direction === 'inbound';
  const isSpam = 'isSpam' in place && place.isSpam;
  // What is answered is looked at again. Spam stays where it is, and moves no other thread.
  const next = isInbound && !isSpam && folder !== 'spam' ? 'inbox' : folder;
  await transaction.execute({
    text: `UPDATE inbox_threads SET email_count = email_count + 1, last_no = $2, is_unread = is_unread OR $3,
             has_attachment = has_attachment OR $4, folder = $5, trashed_at = CASE WHEN $5 = 'trash' THEN trashed_at END,
             last_email_id = CASE WHEN $7 >= last_email_at THEN $6 ELSE last_email_id END,
             last_email_at = greatest(last_email_at, $7)
           WHERE id = $1`,
    values: [id, no, isInbound, email.attachments.length > 0, next, email.id, email.receivedAt],
  });
  return { id, root, no, isNew: false, movedFrom: next === folder ? undefined : folder };
}

async function addThread(
  inboxId: string,
  email: EmailToFile,
  place: ThreadPlace,
  transaction: DatabaseTransaction,
): Promise<ThreadOfEmail | undefined> {
  const isInbound = email.direction === 'inbound';
  const isSpam = 'isSpam' in place && place.isSpam;
  const root = ('root' in place ? place.root : undefined) ?? ownRoot(email);
  const [added] = await transaction.query<{ id: string }>({
    text: `INSERT INTO inbox_threads (id, inbox_id, root, folder, subject, email_count, last_no, read_through, is_unread,
                                      has_attachment, last_email_id, last_email_at)
           VALUES ($1, $2, $3, $4, $5, 1, 1, 0, $6, $7, $8, $9) ON CONFLICT (inbox_id, root) DO NOTHING RETURNING id`,
    values: [
      newId(email.receivedAt.getTime()),
      inboxId,
      root,
      isInbound ? (isSpam ? 'spam' : 'inbox') : 'sent',
      email.subject,
      isInbound,
      email.attachments.length > 0,
      email.id,
      email.receivedAt,
    ],
  });
  return added === undefined ? undefined : { id: added.id, root, no: 1, isNew: true, movedFrom: undefined };
}

/** Writes the email itself. Returns whether the inbox did not have it. */
export async function addEmail(
  inboxId: string,
  email: EmailToFile,
  { id, no }: ThreadOfEmail,
  transaction: DatabaseTransaction,
): Promise<boolean> {
  const added = await transaction.execute({
    text: `INSERT INTO inbox_emails (inbox_id, id, thread_id, no, root, direction, "from", "to", cc, bcc, reply_to, subject,
                                     message_id, attachments, received_at, search)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
                   to_tsvector('simple', $16) || array_to_tsvector(ARRAY[$17]))
           ON CONFLICT (inbox_id, id) DO NOTHING`,
    values: [
      inboxId,
      email.id,
      id,
      no,
      ownRoot(email),
      email.direction,
      email.from,
      email.to,
      email.cc,
      email.bcc,
      email.replyTo,
      email.subject,
      email.messageId,
      JSON.stringify(email.attachments),
      email.receivedAt,
      searchedText(email),
      ofInbox(inboxId),
    ],
  });
  return added > 0;
}

/** A word that each email of the inbox has, and no other: a search reads nothing of other inboxes. */
export function ofInbox(inboxId: string): string {
  return `inbox=${inboxId}`;
}

/**
 * Addresses are searched as a whole and by their parts. Long words are divided: the parser of PostgreSQL takes quadratic
 * time for one with many underscores or hyphens, 15 s for 64 KB.
 */
function searchedText({ subject, from, to, cc, attachments, text }: EmailToFile): string {
  const addresses = [from, ...to, ...cc].join(' ');
  const names = attachments.map(({ filename }) => filename ?? '').join(' ');
  const all = [subject ?? '', addresses, addresses.replace(/[@.<>]/g, ' '), names, text].join('\n');
  return storableText(all.slice(0, maxSearched)).replace(/\S{200}/g, '$& ');
}
