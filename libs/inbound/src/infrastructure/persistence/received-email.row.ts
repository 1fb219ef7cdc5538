import { ReceivedEmail } from '../../domain/received-email.js';

/** The columns of `received_emails` with their types in JSON, in one order for reading and writing. */
const columns = [
  ['id', 'uuid', 'id'],
  ['team_id', 'uuid', 'teamId'],
  ['domain_id', 'uuid', 'domainId'],
  ['content_id', 'uuid', 'contentId'],
  ['created_at', 'timestamptz', 'createdAt'],
  ['size', 'integer', 'size'],
  ['mail_from', 'text', 'mailFrom'],
  ['recipients', 'text[]', 'recipients'],
  ['from', 'text', 'from'],
  ['to', 'text[]', 'to'],
  ['cc', 'text[]', 'cc'],
  ['bcc', 'text[]', 'bcc'],
  ['reply_to', 'text[]', 'replyTo'],
  ['subject', 'text', 'subject'],
  ['message_id', 'text', 'messageId'],
  ['thread_id', 'uuid', 'threadId'],
  ['attachments', 'jsonb', 'attachments'],
  ['client', 'jsonb', 'client'],
  ['verdicts', 'jsonb', 'verdicts'],
  ['is_above_quota', 'boolean', 'isAboveQuota'],
  ['trace', 'text', 'trace'],
] as const satisfies readonly (readonly [string, string, keyof ReceivedEmail])[];

const quoted = (text: string): string => `"${text}"`;

export const columnNames = columns.map(([name]) => quoted(name)).join(', ');
export const columnTypes = columns.map(([name, type]) => `${quoted(name)} ${type}`).join(', ');
export const selectedColumns = columns.map(([name, , field]) => `${quoted(name)} AS ${quoted(field)}`).join(', ');

/** A row for `json_to_recordset`. */
export function rowOf(email: ReceivedEmail): Record<string, unknown> {
  return Object.fromEntries(columns.map(([name, , field]) => [name, email[field]]));
}
