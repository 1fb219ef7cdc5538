import { timestampOrNull, toResponse } from '#http/server';
import {
  Always,
  Deleted,
  Field,
  Id,
  IdOrNull,
  ListOf,
  Moment,
  MomentOrNull,
  OneOf,
  OptionalField,
  ReferenceTo,
  Shape,
  Text,
  TextOrNull,
  TextsOrNull,
  Whole,
  WholeOrNull,
} from '#http/openapi';
import { BroadcastPreview } from '../../application/try-broadcast.use-case.js';
import { shownOptions } from '../../domain/broadcast-options.js';
import { broadcastStatuses as statuses } from '../../domain/broadcast-filter.js';
import type { Broadcast, BroadcastStatus } from '../../domain/broadcast.js';
import { subjectsOf } from '../../domain/fan-out/waves.js';
import type { BounceType } from '../../domain/statistics.js';
import {
  bounceTypes,
  BroadcastProgress,
  BroadcastRecipient,
  ClickedLink,
  ProgressCounts,
  noSubjectCounts,
  ResultKind,
  SubjectCounts,
  SubjectResults,
} from '../../domain/statistics.js';
import { broadcastId, contactId, emailId, segmentId } from './example-ids.js';

/** Clients with enums lose the whole list to a word that they do not know. */
const knownStatuses = ['draft', 'scheduled', 'queued', 'sent', 'failed'] as const;

@Shape('The broadcast that was written.')
export class BroadcastReferenceResponse extends ReferenceTo('broadcast', 'Id of the broadcast.', broadcastId) {}

@Shape('The broadcast that was deleted.')
export class RemovedBroadcastResponse extends Deleted(BroadcastReferenceResponse) {}

@Shape('A broadcast in a list.')
export class BroadcastSummaryResponse {
  @Id('Id of the broadcast.', broadcastId) id!: string;
  @Text('Name for people; empty if it has none.', 'November news') name!: string;
  @Id('The same as `segment_id`, under its old name.', segmentId) audience_id!: string;
  @Id('The segment to whose contacts it is sent.', segmentId) segment_id!: string;
  @IdOrNull('The topic; null where it has none.') topic_id!: string | null;
  @OneOf(
    knownStatuses,
    'The `state` in the words that all clients know: `queued` for `paused` too, `failed` for `canceled`.',
    'sent',
  )
  status!: (typeof knownStatuses)[number];
  @OneOf(
    statuses,
    '`draft` and `scheduled` can be edited, `queued` is being sent, `paused` waits in the middle of it, ' +
      '`sent` and `canceled` are over. An addition of Postrider.',
    'sent',
  )
  state!: BroadcastStatus;
  @Moment('When it was created.') created_at!: string;
  @MomentOrNull('When it is or was to be sent; null where no time was given.') scheduled_at!: string | null;
  @MomentOrNull('When the last email was accepted; null before.', '2026-11-30 20:45:02.1+00')
  sent_at!: string | null;
}

/** Of one subject of a test. */
@Shape('What became of those who got one subject: in the test and, for the winner, in the rest of the audience.')
export class SubjectResultResponse implements SubjectCounts {
  @Text('The subject as it was written, with its tags.', 'News for {{{FIRST_NAME|you}}}') subject!: string;
  @WholeOrNull('How many had clicked or opened it when the winner was chosen; null before.', 9)
  score!: number | null;
  @Whole('Recipients whose email was handed to delivery.', 100) sent!: number;
  @Whole('Recipients whose mail server took the email.', 99) delivered!: number;
  @Whole('Recipients whose email bounced.', 1) bounced!: number;
  @Whole('Recipients who reported it as spam.', 0) complained!: number;
  @Whole('Recipients who opened it; machines do not count.', 41) opened!: number;
  @Whole('Recipients who clicked a link; machines do not count.', 11) clicked!: number;
  @Whole('Recipients who unsubscribed through it.', 1) unsubscribed!: number;
}

@Shape('The subject that has won.')
export class SubjectWinnerResponse {
  @Whole('Its place in `subjects`.', 1) index!: number;
  @Text('The subject.', 'What is new at Acme') subject!: string;
  @OneOf(
    ['clicks', 'opens'],
    'By what it was chosen: the most `clicks`, or the most `opens`. Of equal ones the first has won.',
    'clicks',
  )
  chosen_by!: 'clicks' | 'opens';
  @MomentOrNull('When it was chosen.', '2026-11-30 20:42:01.3+00') chosen_at!: string | null;
}

const exampleResults = [
  {
    subject: 'News for {{{FIRST_NAME|you}}}',
    score: 9,
    sent: 100,
    delivered: 99,
    bounced: 1,
    complained: 0,
    opened: 41,
    clicked: 11,
    unsubscribed: 1,
  },
  {
    subject: 'What is new at Acme',
    score: 14,
    sent: 900,
    delivered: 894,
    bounced: 6,
    complained: 0,
    opened: 402,
    clicked: 131,
    unsubscribed: 4,
  },
];

@Shape('What became of the subjects of a test.')
export class SubjectResultsResponse {
  @ListOf(
    SubjectResultResponse,
    'The subject of the broadcast itself, then those of `subject_test`, in their order.',
    exampleResults,
  )
  subjects!: SubjectResultResponse[];
  @Field('The subject that the rest of the audience gets; null until it is chosen.', {
    type: SubjectWinnerResponse,
    nullable: true,
  })
  winner!: SubjectWinnerResponse | null;
}

@Shape('A broadcast.')
export class BroadcastResponse extends BroadcastSummaryResponse {
  @Always('broadcast') object!: 'broadcast';
  @Text('Sender.', 'Acme <news@acme.example>') from!: string;
  @Text('Subject.', 'News for {{{FIRST_NAME|you}}}') subject!: string;
  @TextsOrNull('Addresses for replies; null if there are none.') reply_to!: string[] | null;
  @TextOrNull('What mail programs show behind the subject; null if there is none.', 'What is new')
  preview_text!: string | null;
  @TextOrNull(
    'HTML body; null if there is none.',
    '<p>Hello {{{FIRST_NAME|there}}}</p><p><a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Unsubscribe</a></p>',
  )
  html!: string | null;
  @TextOrNull('Plain text body; null if it is derived from the html.') text!: string | null;
  @OneOf(
    ['editor', 'html'],
    'Addition of Postrider: what the bodies are made of. `editor`: the document of the editor. `html`: they were ' +
      'written since; a document is kept beside them.',
    'html',
  )
  content_source!: 'editor' | 'html';
  @Field(
    'Addition of Postrider: how it is sent; null: at once and to all.',
    { type: 'object', additionalProperties: true, nullable: true },
    { subject_test: { subjects: ['What is new at Acme'], share_percent: 20, wait_minutes: 120, winner: 'clicks' } },
  )
  options!: object | null;
  @OptionalField(
    'Addition of Postrider: what became of each subject of a `subject_test`. Absent without one, and ' +
      'before the first email.',
    { type: SubjectResultsResponse },
    {
      subjects: exampleResults,
      winner: { index: 1, subject: 'What is new at Acme', chosen_by: 'clicks', chosen_at: '2026-11-30 20:42:01.3+00' },
    },
  )
  subject_results?: SubjectResultsResponse;
}

@Shape('A link that a recipient clicked.')
export class ClickedLinkOfRecipientResponse {
  @Text('The address of the link.', 'https://acme.com/november') url!: string;
  @Whole('How often.', 2) clicks!: number;
}

@Shape('A recipient to whom something happened.')
export class BroadcastRecipientResponse {
  @Text('Cursor of this row.', contactId) id!: string;
  @IdOrNull('The contact; null once it has been erased.', contactId) contact_id!: string | null;
  @Text('Address at the start of the broadcast; `erased` once the contact has been erased.', 'ada@customer.example')
  email!: string;
  @OptionalField('How often. With `type=opened` and `type=clicked`.', { type: 'integer' }, 2) count?: number;
  @OptionalField('Kind of the bounce. With `type=bounced`.', { enum: [...bounceTypes] }) bounce_type?: BounceType;
  @OptionalField('Links and clicks, at most 100. With `type=clicked`.', { type: [ClickedLinkOfRecipientResponse] }, [
    { url: 'https://acme.com/november', clicks: 2 },
  ])
  clicked_links?: ClickedLinkOfRecipientResponse[];
}

@Shape('A link of a broadcast that was clicked.')
export class ClickedLinkResponse {
  @Text('Cursor of this row.', emailId) id!: string;
  @Text('The address of the link.', 'https://acme.com/november') url!: string;
  @Whole('How often it was clicked.', 41) clicks!: number;
  @Whole('How many recipients clicked it.', 30) unique_clicks!: number;
}

@Shape('How many recipients a broadcast has, and what became of them.')
export class ProgressCountsResponse implements ProgressCounts {
  @Whole('Contacts of the audience, which was fixed at the start.', 100) planned!: number;
  @Whole('Recipients whose email was accepted.', 98) accepted!: number;
  @Whole('Recipients that get no email.', 2) skipped!: number;
  @Whole('Recipients that want no broadcasts.', 2) skipped_unsubscribed!: number;
  @Whole('Recipients that do not have the topic.', 0) skipped_not_subscribed!: number;
  @Whole('Recipients whose address is suppressed.', 0) skipped_suppressed!: number;
  @Whole('Recipients that were deleted since the start.', 0) skipped_deleted!: number;
  @Whole('Recipients for whom no email can be made.', 0) skipped_invalid!: number;
  @Whole('Recipients whose email was handed to delivery.', 98) sent!: number;
  @Whole('Recipients whose mail server took the email.', 97) delivered!: number;
  @Whole('Recipients whose delivery was delayed.', 0) delivery_delayed!: number;
  @Whole('Recipients whose email bounced.', 0) bounced!: number;
  @Whole('Recipients who reported it as spam.', 0) complained!: number;
  @Whole('Recipients whose address was suppressed before delivery.', 0) suppressed!: number;
  @Whole('Recipients to whom delivery was given up.', 0) failed!: number;
  @Whole('Recipients who opened it; machines do not count.', 0) opened!: number;
  @Whole('Recipients who clicked a link; machines do not count.', 0) clicked!: number;
  @Whole('Recipients who unsubscribed through it.', 0) unsubscribed!: number;
}

@Shape('How far a broadcast has come.')
export class BroadcastProgressResponse {
  @Always('broadcast_progress') object!: 'broadcast_progress';
  @Id('Id of the broadcast.', broadcastId) id!: string;
  @OneOf(
    statuses,
    '`draft` and `scheduled` can be edited, `queued` is being sent, `paused` waits in the middle of it, ' +
      '`sent` and `canceled` are over.',
    'sent',
  )
  status!: string;
  @TextOrNull('Why it has paused itself, for example `daily_quota_exceeded`; null if it has not.')
  paused_because!: string | null;
  @MomentOrNull('When sending began.', '2026-11-30 20:39:59.54+00') queued_at!: string | null;
  @MomentOrNull('When the last email was accepted.', '2026-11-30 20:45:02.1+00') sent_at!: string | null;
  @Field('How many recipients. Each counts once in each.', { type: ProgressCountsResponse })
  counts!: ProgressCountsResponse;
}

@Shape('A broadcast as one contact would get it.')
export class BroadcastPreviewResponse {
  @Always('broadcast_preview') object!: 'broadcast_preview';
  @Id('Id of the broadcast.', broadcastId) id!: string;
  @IdOrNull('The contact; null where nobody is in the segment, and every fallback shows.', contactId)
  contact_id!: string | null;
  @TextOrNull('Address of the contact.', 'ada@customer.example') email!: string | null;
  @Text('Sender.', 'Acme <news@acme.example>') from!: string;
  @TextsOrNull('Addresses for replies.') reply_to!: string[] | null;
  @Text('Rendered subject.', 'News for Ada') subject!: string;
  @TextOrNull(
    'Rendered html, with the hidden preview text. The link to unsubscribe stays a tag.',
    '<p>Hello Ada</p><p><a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Unsubscribe</a></p>',
  )
  html!: string | null;
  @TextOrNull('Rendered text; null if it is derived from the html.') text!: string | null;
}

@Shape('An email.')
export class TestEmailResponse {
  @Id('Id of the email.', emailId) id!: string;
}

@Shape('The emails.')
export class TestBroadcastResponse {
  @ListOf(TestEmailResponse, 'The emails, in the order of the addresses.') data!: TestEmailResponse[];
}

export const broadcastSummary = (broadcast: Broadcast): BroadcastSummaryResponse =>
  toResponse(BroadcastSummaryResponse, broadcast, {
    name: broadcast.name ?? '',
    audience_id: broadcast.segmentId,
    status: broadcast.status === 'paused' ? 'queued' : broadcast.status === 'canceled' ? 'failed' : broadcast.status,
    state: broadcast.status,
  });

export function broadcastResponse(broadcast: Broadcast, results?: SubjectResults): BroadcastResponse {
  const { from, subject, replyTo, previewText, html, text, contentSource, options } = broadcast;
  return {
    object: 'broadcast',
    ...broadcastSummary(broadcast),
    from,
    subject,
    reply_to: replyTo === null ? null : [...replyTo],
    preview_text: previewText,
    html,
    text,
    content_source: contentSource,
    options: shownOptions(options),
    ...(results === undefined ? {} : { subject_results: subjectResults(broadcast, results) }),
  };
}

/** Subjects that nobody has got yet show zeros. */
function subjectResults(broadcast: Broadcast, { subjects, winner }: SubjectResults): SubjectResultsResponse {
  const texts = subjectsOf(broadcast);
  return {
    subjects: texts.map((subject, no) => ({
      subject,
      score: winner?.scores[no] ?? null,
      ...(subjects.find(({ variant }) => variant === no)?.counts ?? noSubjectCounts),
    })),
    winner: winner && {
      index: winner.variant,
      subject: texts[winner.variant] ?? '',
      chosen_by: broadcast.options.test?.winner ?? 'clicks',
      chosen_at: timestampOrNull(winner.at),
    },
  };
}

export function recipientResponse(kind: ResultKind, recipient: BroadcastRecipient): BroadcastRecipientResponse {
  const { id, contactId, email, count, bounceType, links } = recipient;
  return {
    id,
    contact_id: contactId,
    email,
    ...(kind === 'opened' || kind === 'clicked' ? { count } : {}),
    ...(kind === 'bounced' ? { bounce_type: bounceType ?? 'undetermined' } : {}),
    ...(kind === 'clicked' ? { clicked_links: [...links] } : {}),
  };
}

export const linkResponse = (link: ClickedLink): ClickedLinkResponse => toResponse(ClickedLinkResponse, link);

export const progressResponse = (broadcast: Broadcast, progress: BroadcastProgress): BroadcastProgressResponse =>
  toResponse(BroadcastProgressResponse, broadcast, {
    paused_because: progress.pausedBecause,
    counts: progress.counts,
  });

export function previewResponse(preview: BroadcastPreview): BroadcastPreviewResponse {
  const { id, from, replyTo } = preview.broadcast;
  return toResponse(BroadcastPreviewResponse, preview, {
    id,
    contact_id: preview.contact?.id ?? null,
    email: preview.contact?.email ?? null,
    from,
    reply_to: replyTo === null ? null : [...replyTo],
  });
}
