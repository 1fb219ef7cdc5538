import { toResponse } from '#http/server';
import {
  Always,
  Deleted,
  Id,
  IdOrNull,
  Instant,
  ListOf,
  OneOf,
  ReferenceTo,
  Shape,
  Text,
  TextOrNull,
  Texts,
  TextsOrNull,
  Whole,
} from '#http/openapi';
import { DraftSummary, InboxDraft } from '../../domain/draft.js';
import { draftId, attachmentId, sentId } from './example-ids.js';

@Shape('A file of a draft.')
export class DraftAttachmentResponse {
  @Id('Id of the file.', attachmentId) id!: string;
  @Text('File name.', 'invoice.pdf') filename!: string;
  @Text('Media type.', 'application/pdf') content_type!: string;
  @Whole('Bytes.', 48_213) size!: number;
}

abstract class SharedDraftFields {
  @Id('Id of the draft.', draftId) id!: string;
  @OneOf(
    ['standalone', 'reply'],
    '`reply`: it answers an email of a thread. `standalone`: it begins one.',
    'standalone',
  )
  type!: 'standalone' | 'reply';
  @TextsOrNull('Recipients; null if it has none yet.', ['ada@customer.example']) to!: readonly string[] | null;
  @Texts('Copy recipients.', []) cc!: readonly string[];
  @Texts('Blind-copy recipients.', []) bcc!: readonly string[];
  @TextOrNull('Subject line.', 'Your order') subject!: string | null;
  @IdOrNull('The thread in which it is a reply.', null) thread_id!: string | null;
  @IdOrNull('The email that it answers.', null) reply_to_email_id!: string | null;
  @Instant('When it was changed last.', '2026-11-30T20:41:12.300Z') updated_at!: string;
  @ListOf(DraftAttachmentResponse, 'Files, without their content.') attachments!: DraftAttachmentResponse[];
}

@Shape('A draft, as lists show it.')
export class DraftSummaryResponse extends SharedDraftFields {
  @TextOrNull('The first 200 characters of its text.', 'It arrives on Friday.') snippet!: string | null;
}

@Shape('A draft.')
export class DraftResponse extends SharedDraftFields {
  @Always('inbox_draft') object!: 'inbox_draft';
  @TextOrNull('HTML body.', null) html!: string | null;
  @TextOrNull('Plain text body.', 'It arrives on Friday.') text!: string | null;
  @IdOrNull('The email that was sent; null until then.', null) email_id!: string | null;
  @Instant('When it was created.', '2026-11-30T20:39:59.540Z') created_at!: string;
}

@Shape('A draft, by its id.')
export class DraftReferenceResponse extends ReferenceTo('inbox_draft', 'Id of the draft.', draftId) {}

@Shape('The draft that was removed.')
export class RemovedDraftResponse extends Deleted(DraftReferenceResponse) {}

@Shape('An email that was sent from an inbox.')
export class SentFromInboxResponse {
  @Id('Id of the email, of which `GET /emails/{id}` tells more.', sentId) id!: string;
}

export const draftSummary = (draft: DraftSummary): DraftSummaryResponse =>
  toResponse(DraftSummaryResponse, draft, sharedFields(draft));

export const draftResponse = (draft: InboxDraft): DraftResponse =>
  toResponse(DraftResponse, draft, sharedFields(draft));

/** The fields that a draft does not have itself. */
const sharedFields = ({
  threadId,
  attachments,
}: Pick<InboxDraft, 'threadId' | 'attachments'>): Pick<SharedDraftFields, 'type' | 'attachments'> => ({
  type: threadId === null ? 'standalone' : 'reply',
  attachments: attachments.map((file) => toResponse(DraftAttachmentResponse, file)),
});
