import { timestamp } from '#platform/http';
import {
  Always,
  ApiProperty,
  ApiPropertyOptional,
  Id,
  IdOrNull,
  Moment,
  MomentOrNull,
  OneOf,
  Text,
  TextOrNull,
  TextsOrNull,
  Whole,
} from '#platform/openapi';
import { BroadcastPreview } from '../../application/preview-broadcast.query.js';
import { shownOptions } from '../../domain/broadcast-options.js';
import { broadcastStatuses as statuses } from '../../domain/broadcast-filter.js';
import { Broadcast } from '../../domain/broadcast.js';
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

export class BroadcastReferenceResponse {
  @OneOf('broadcast') object!: 'broadcast';
  @Id() id!: string;
}

export class RemovedBroadcastResponse extends BroadcastReferenceResponse {
  @Always(true) deleted!: true;
}

export class BroadcastSummaryResponse {
  @Id() id!: string;
  @TextOrNull() name!: string | null;
  @Id() audience_id!: string;
  @Id() segment_id!: string;
  @IdOrNull() topic_id!: string | null;
  @OneOf(...statuses) status!: string;
  @Moment() created_at!: string;
  @MomentOrNull() scheduled_at!: string | null;
  @MomentOrNull() sent_at!: string | null;
}

/** Of one subject of a test. */
export class SubjectResultResponse implements SubjectCounts {
  @Text() subject!: string;
  @ApiProperty({ type: 'integer', nullable: true }) score!: number | null;
  @Whole() sent!: number;
  @Whole() delivered!: number;
  @Whole() bounced!: number;
  @Whole() complained!: number;
  @Whole() opened!: number;
  @Whole() clicked!: number;
  @Whole() unsubscribed!: number;
}

export class SubjectWinnerResponse {
  @Whole() index!: number;
  @Text() subject!: string;
  @OneOf('clicks', 'opens') chosen_by!: 'clicks' | 'opens';
  @MomentOrNull() chosen_at!: string | null;
}

export class SubjectResultsResponse {
  @ApiProperty({ type: [SubjectResultResponse] }) subjects!: SubjectResultResponse[];
  @ApiProperty({ type: SubjectWinnerResponse, nullable: true }) winner!: SubjectWinnerResponse | null;
}

export class BroadcastResponse extends BroadcastSummaryResponse {
  @OneOf('broadcast') object!: 'broadcast';
  @Text() from!: string;
  @Text() subject!: string;
  @TextsOrNull() reply_to!: string[] | null;
  @TextOrNull() preview_text!: string | null;
  @TextOrNull() html!: string | null;
  @TextOrNull() text!: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) options!: object | null;
  @ApiPropertyOptional({ type: SubjectResultsResponse }) subject_results?: SubjectResultsResponse;
}

export class ClickedLinkOfRecipientResponse {
  @Text() url!: string;
  @Whole() clicks!: number;
}

export class BroadcastRecipientResponse {
  @Text() id!: string;
  @IdOrNull() contact_id!: string | null;
  @Text() email!: string;
  @ApiPropertyOptional({ type: 'integer' }) count?: number;
  @ApiPropertyOptional({ type: String, enum: [...bounceTypes] }) bounce_type?: BounceType;
  @ApiPropertyOptional({ type: [ClickedLinkOfRecipientResponse] }) clicked_links?: ClickedLinkOfRecipientResponse[];
}

export class ClickedLinkResponse {
  @Text() id!: string;
  @Text() url!: string;
  @Whole() clicks!: number;
  @Whole() unique_clicks!: number;
}

export class ProgressCountsResponse implements ProgressCounts {
  @Whole() planned!: number;
  @Whole() accepted!: number;
  @Whole() skipped!: number;
  @Whole() skipped_unsubscribed!: number;
  @Whole() skipped_not_subscribed!: number;
  @Whole() skipped_suppressed!: number;
  @Whole() skipped_deleted!: number;
  @Whole() skipped_invalid!: number;
  @Whole() sent!: number;
  @Whole() delivered!: number;
  @Whole() delivery_delayed!: number;
  @Whole() bounced!: number;
  @Whole() complained!: number;
  @Whole() suppressed!: number;
  @Whole() failed!: number;
  @Whole() opened!: number;
  @Whole() clicked!: number;
  @Whole() unsubscribed!: number;
}

export class BroadcastProgressResponse {
  @OneOf('broadcast_progress') object!: 'broadcast_progress';
  @Id() id!: string;
  @OneOf(...statuses) status!: string;
  @TextOrNull() paused_because!: string | null;
  @MomentOrNull() queued_at!: string | null;
  @MomentOrNull() sent_at!: string | null;
  @ApiProperty({ type: ProgressCountsResponse }) counts!: ProgressCountsResponse;
}

export class BroadcastPreviewResponse {
  @OneOf('broadcast_preview') object!: 'broadcast_preview';
  @Id() id!: string;
  @IdOrNull() contact_id!: string | null;
  @TextOrNull() email!: string | null;
  @Text() from!: string;
  @TextsOrNull() reply_to!: string[] | null;
  @Text() subject!: string;
  @TextOrNull() html!: string | null;
  @TextOrNull() text!: string | null;
}

export class TestEmailResponse {
  @Id() id!: string;
}

export class TestBroadcastResponse {
  @ApiProperty({ type: [TestEmailResponse] }) data!: TestEmailResponse[];
}

export function broadcastSummary(broadcast: Broadcast): BroadcastSummaryResponse {
  const { id, name, segmentId, topicId, status, createdAt, scheduledAt, sentAt } = broadcast;
  return {
    ...{ id, name, audience_id: segmentId, segment_id: segmentId, topic_id: topicId, status },
    created_at: timestamp(createdAt),
    scheduled_at: momentOrNull(scheduledAt),
    sent_at: momentOrNull(sentAt),
  };
}

export function broadcastResponse(broadcast: Broadcast, results?: SubjectResults): BroadcastResponse {
  const { from, subject, replyTo, previewText, html, text, options } = broadcast;
  return {
    object: 'broadcast',
    ...broadcastSummary(broadcast),
    ...{ from, subject, reply_to: replyTo === null ? null : [...replyTo], preview_text: previewText, html, text },
    options: shownOptions(options),
    ...(results === undefined ? {} : { subject_results: subjectResults(broadcast, results) }),
  };
}

/** Subjects that nobody has got yet show zeros. */
function subjectResults(broadcast: Broadcast, { subjects, winner }: SubjectResults): SubjectResultsResponse {
  const texts = subjectsOf(broadcast);
  return {
    subjects: texts.map((subject, no) => ({
      ...{ subject, score: winner?.scores[no] ?? null },
      ...(subjects.find(({ variant }) => variant === no)?.counts ?? noSubjectCounts),
    })),
    winner: winner && {
      ...{ index: winner.variant, subject: texts[winner.variant] ?? '' },
      ...{ chosen_by: broadcast.options.test?.winner ?? 'clicks', chosen_at: momentOrNull(winner.at) },
    },
  };
}

export function recipientResponse(kind: ResultKind, recipient: BroadcastRecipient): BroadcastRecipientResponse {
  const { id, contactId, email, count, bounceType, links } = recipient;
  return {
    ...{ id, contact_id: contactId, email },
    ...(kind === 'opened' || kind === 'clicked' ? { count } : {}),
    ...(kind === 'bounced' ? { bounce_type: bounceType ?? 'undetermined' } : {}),
    ...(kind === 'clicked' ? { clicked_links: [...links] } : {}),
  };
}

export function linkResponse({ id, url, clicks, uniqueClicks }: ClickedLink): ClickedLinkResponse {
  return { id, url, clicks, unique_clicks: uniqueClicks };
}

export function progressResponse(
  { id, status, queuedAt, sentAt }: Broadcast,
  progress: BroadcastProgress,
): BroadcastProgressResponse {
  return {
    object: 'broadcast_progress',
    ...{ id, status, paused_because: progress.pausedBecause },
    queued_at: momentOrNull(queuedAt),
    sent_at: momentOrNull(sentAt),
    counts: progress.counts,
  };
}

export function previewResponse(preview: BroadcastPreview): BroadcastPreviewResponse {
  const { broadcast, contact, subject, html, text } = preview;
  const { id, from, replyTo } = broadcast;
  return {
    object: 'broadcast_preview',
    ...{ id, contact_id: contact?.id ?? null, email: contact?.email ?? null, from },
    ...{ reply_to: replyTo === null ? null : [...replyTo], subject, html, text },
  };
}

function momentOrNull(moment: Date | null): string | null {
  return moment === null ? null : timestamp(moment);
}
