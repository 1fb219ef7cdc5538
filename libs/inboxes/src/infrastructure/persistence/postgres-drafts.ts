import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import { Database, DatabaseTransaction, keysetCondition, lockName, statementsOf } from '#postgres/database';
import type { Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { AddedDraft, DraftRepository } from '../../application/ports/draft-repository.port.js';
import {
  DraftFile,
  DraftSummary,
  InboxDraft,
  InboxDraftAttachment,
  maxFiles,
  maxOpenDrafts,
  maxTeamFileBytes,
} from '../../domain/draft.js';
import { snippetOf } from '../../domain/shown-text.js';

const attachments = `(SELECT coalesce(json_agg(json_build_object('id', a.id, 'filename', a.filename,
    'contentType', a.content_type, 'contentId', a.content_id, 'size', a.size) ORDER BY a.position), '[]')
  FROM inbox_draft_attachments a WHERE a.draft_id = d.id) AS attachments`;

const summaryColumns = `d.id, d.inbox_id AS "inboxId", d.thread_id AS "threadId",
  d.reply_to_email_id AS "replyToEmailId", d."to", d.cc, d.bcc, d.subject, d.email_id AS "emailId", d.version,
  d.created_at AS "createdAt", d.updated_at AS "updatedAt", ${attachments}`;

const draftColumns = `${summaryColumns}, d.html, d.text`;

@Injectable()
export class PostgresDrafts extends DraftRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async add(
    teamId: string,
    draft: InboxDraft,
    files: readonly DraftFile[],
    transaction: Transaction,
  ): Promise<AddedDraft> {
    const statements = statementsOf(transaction);
    await this.lockAttachments(teamId, transaction);
    const [open] = await statements.query<{ count: number }>({
      text: `SELECT count(*)::integer AS count
             FROM (SELECT FROM inbox_drafts WHERE team_id = $1 AND email_id IS NULL LIMIT ${maxOpenDrafts}) d`,
      values: [teamId],
    });
    if ((open?.count ?? 0) >= maxOpenDrafts) return 'full';
    const added = bytesOf(files);
    if (added > 0 && (await bytesOfTeam(teamId, statements)) + added > maxTeamFileBytes) return 'too many bytes';
    const inserted = await statements.execute({
      text: `INSERT INTO inbox_drafts (id, inbox_id, team_id, thread_id, reply_to_email_id, "to", cc, bcc, subject, html, text,
               snippet, attachment_bytes, version, created_at, updated_at)
             SELECT $1::uuid, i.id, i.team_id, $3::uuid, $4::uuid, $5::text[], $6::text[], $7::text[], $8::text, $9::text,
               $10::text, $11::text, $12::bigint, $13::integer, $14::timestamptz, $14::timestamptz
             FROM inboxes i WHERE i.id = $2 FOR KEY SHARE`,
      values: [
        draft.id,
        draft.inboxId,
        draft.threadId,
        draft.replyToEmailId,
        ...contentValues(draft),
        added,
        draft.version,
        draft.createdAt,
      ],
    });
    if (inserted === 0) return 'no inbox';
    await insertFiles(draft, files, statements);
    return 'added';
  }

  async find(inboxId: string, id: string): Promise<InboxDraft | undefined> {
    const [draft] = await this.database.query<Row<InboxDraft>>({
      text: `SELECT ${draftColumns} FROM inbox_drafts d WHERE d.inbox_id = $1 AND d.id = $2`,
      values: [inboxId, id],
    });
    return draft;
  }

  async list(inboxId: string, page: PageRequest): Promise<Page<DraftSummary>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const drafts = await this.database.query<Row<DraftSummary>>({
      text: `SELECT ${summaryColumns}, d.snippet FROM inbox_drafts d
             WHERE d.inbox_id = $1 AND d.email_id IS NULL ${condition} ${order}`,
      values: [inboxId, ...values],
    });
    return pageOf(page, drafts);
  }

  async lock(inboxId: string, id: string, transaction: Transaction): Promise<InboxDraft | undefined> {
    const [draft] = await statementsOf(transaction).query<Row<InboxDraft>>({
      text: `SELECT ${draftColumns} FROM inbox_drafts d WHERE d.inbox_id = $1 AND d.id = $2 FOR UPDATE OF d`,
      values: [inboxId, id],
    });
    return draft;
  }

  async lockAttachments(teamId: string, transaction: Transaction): Promise<void> {
    await lockName(`inbox drafts ${teamId}`, statementsOf(transaction));
  }

  async change(
    teamId: string,
    draft: InboxDraft,
    files: readonly DraftFile[] | undefined,
    transaction: Transaction,
  ): Promise<boolean> {
    const statements = statementsOf(transaction);
    if (files !== undefined && !(await this.changeFiles(teamId, draft, files, statements))) return false;
    await statements.execute({
      text: `UPDATE inbox_drafts SET "to" = $2, cc = $3, bcc = $4, subject = $5, html = $6, text = $7, snippet = $8,
               version = $9, updated_at = $10
             WHERE id = $1`,
      values: [draft.id, ...contentValues(draft), draft.version, draft.updatedAt],
    });
    return true;
  }

  async files(draftId: string): Promise<readonly DraftFile[]> {
    return this.database.query<Row<DraftFile>>({
      text: `SELECT id, filename, content_type AS "contentType", content_id AS "contentId", size, content
             FROM inbox_draft_attachments WHERE draft_id = $1 ORDER BY position`,
      values: [draftId],
    });
  }

  async remove(draftId: string, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({ text: 'DELETE FROM inbox_drafts WHERE id = $1', values: [draftId] });
  }

  async markSent({ id, emailId, updatedAt }: InboxDraft, transaction: Transaction): Promise<void> {
    const statements = statementsOf(transaction);
    await statements.execute({
      text: 'UPDATE inbox_drafts SET email_id = $2, updated_at = $3, attachment_bytes = 0 WHERE id = $1',
      values: [id, emailId, updatedAt],
    });
    await statements.execute({
      text: `UPDATE inbox_draft_attachments SET content = '' WHERE draft_id = $1`,
      values: [id],
    });
  }

  private async changeFiles(
    teamId: string,
    draft: InboxDraft,
    added: readonly DraftFile[],
    statements: DatabaseTransaction,
  ): Promise<boolean> {
    await statements.execute({
      text: 'DELETE FROM inbox_draft_attachments WHERE draft_id = $1 AND NOT id = ANY ($2::uuid[])',
      values: [draft.id, draft.attachments.map(({ id }) => id)],
    });
    await statements.execute({
      text: 'UPDATE inbox_drafts SET attachment_bytes = $2 WHERE id = $1',
      values: [draft.id, bytesOf(draft.attachments)],
    });
    if (bytesOf(added) > 0 && (await bytesOfTeam(teamId, statements)) > maxTeamFileBytes) return false;
    await insertFiles(draft, added, statements);
    return true;
  }
}

/** The values of "to", cc, bcc, subject, html, text and snippet. */
function contentValues({ to, cc, bcc, subject, html, text }: InboxDraft): unknown[] {
  return [to, cc, bcc, subject, html, text, snippetOf({ html, text })];
}

function bytesOf(files: readonly InboxDraftAttachment[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

async function bytesOfTeam(teamId: string, statements: DatabaseTransaction): Promise<number> {
  const [sum] = await statements.query<{ bytes: number }>({
    text: `SELECT coalesce(sum(attachment_bytes), 0)::float8 AS bytes FROM inbox_drafts
           WHERE team_id = $1 AND attachment_bytes > 0`,
    values: [teamId],
  });
  return sum?.bytes ?? 0;
}

/** One file per statement: together they may have 25 MB. They come behind those of earlier versions. */
async function insertFiles(
  { id: draftId, version }: InboxDraft,
  files: readonly DraftFile[],
  statements: DatabaseTransaction,
): Promise<void> {
  for (const [index, file] of files.entries()) {
    const { id, filename, contentType, contentId, size, content } = file;
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    await statements.execute({
      text: `INSERT INTO inbox_draft_attachments (id, draft_id, position, filename, content_type, content_id, size, content)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      values: [id, draftId, version * maxFiles + index, filename, contentType, contentId, size, bytes],
    });
  }
}
