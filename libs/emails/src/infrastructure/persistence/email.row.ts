import { actorOf } from '#identity';
import type { Actor } from '#identity';
import type { MergeValues } from '#kernel';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Attachment, Email, Tag } from '../../domain/email.js';
import type { LastEvent } from '../../domain/email-status.js';
import type { TrackingChoice } from '../../domain/tracking-choice.js';

@Entity('emails')
export class EmailRow implements Email {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'team_id' })
  teamId!: string;

  @Column('uuid', { name: 'domain_id' })
  domainId!: string;

  @Column('uuid', { name: 'api_key_id', nullable: true })
  apiKeyId!: string | null;

  @Column('text', { name: 'actor_kind', nullable: true })
  actorKind!: string | null;

  @Column('uuid', { name: 'actor_id', nullable: true })
  actorId!: string | null;

  @Column('uuid', { name: 'topic_id', nullable: true })
  topicId!: string | null;

  @Column('jsonb', { nullable: true })
  tracking!: TrackingChoice | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'scheduled_at', nullable: true })
  scheduledAt!: Date | null;

  @Column('integer')
  size!: number;

  @Column('integer', { name: 'event_seq', select: false })
  eventSeq!: number;

  @Column('text', { name: 'last_event' })
  lastEvent!: LastEvent;

  @Column('text', { name: 'message_id' })
  messageId!: string;

  @Column('text')
  from!: string;

  @Column('text', { array: true })
  to!: string[];

  @Column('text', { array: true, nullable: true })
  cc!: string[] | null;

  @Column('text', { array: true, nullable: true })
  bcc!: string[] | null;

  @Column('text', { name: 'reply_to', array: true, nullable: true })
  replyTo!: string[] | null;

  @Column('text')
  subject!: string;

  @Column('jsonb', { nullable: true })
  headers!: Record<string, string> | null;

  @Column('jsonb', { nullable: true })
  tags!: Tag[] | null;

  @Column('jsonb', { nullable: true })
  attachments!: Attachment[] | null;

  @Column('uuid', { name: 'content_id', nullable: true })
  contentId!: string | null;

  @Column('jsonb', { name: 'merge_values', nullable: true })
  mergeValues!: MergeValues | null;

  @Column('boolean', { name: 'is_bulk', nullable: true })
  isBulk!: boolean | null;

  @Column('uuid', { name: 'forwarded_from', nullable: true })
  forwardedFrom!: string | null;

  get actor(): Actor {
    return actorOf({ api_key_id: this.apiKeyId, actor_kind: this.actorKind, actor_id: this.actorId });
  }
}
