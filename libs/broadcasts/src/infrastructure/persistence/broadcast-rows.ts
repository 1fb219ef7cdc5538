import { ActorColumns, actorColumns, actorOf } from '#identity';
import { Broadcast } from '../../domain/broadcast.js';
import { firstRelease } from '../../domain/fan-out/zones.js';

export type BroadcastRow = Omit<Broadcast, 'actor'> & ActorColumns;

const columns = `id, team_id AS "teamId", name, segment_id AS "segmentId", topic_id AS "topicId", "from", reply_to AS "replyTo",
  subject, preview_text AS "previewText", status, options, domain_id AS "domainId", scheduled_at AS "scheduledAt",
  queued_at AS "queuedAt", sent_at AS "sentAt", created_at AS "createdAt", updated_at AS "updatedAt",
  api_key_id, actor_kind, actor_id`;

export const wholeColumns = `${columns}, html, text`;
export const summaryColumns = `${columns}, NULL AS html, NULL AS text`;

export function broadcastOf(row: BroadcastRow): Broadcast {
  const { api_key_id, actor_kind, actor_id, ...broadcast } = row;
  return { ...broadcast, actor: actorOf({ api_key_id, actor_kind, actor_id }) };
}

/** In the order of the columns that statements write: see `writtenColumns`. */
export function valuesOf(broadcast: Broadcast): unknown[] {
  const { api_key_id, actor_kind, actor_id } = actorColumns(broadcast.actor);
  return [
    broadcast.id,
    broadcast.teamId,
    broadcast.name,
    broadcast.segmentId,
    broadcast.topicId,
    broadcast.from,
    broadcast.replyTo,
    broadcast.subject,
    broadcast.previewText,
    broadcast.html,
    broadcast.text,
    broadcast.status,
    JSON.stringify(broadcast.options),
    broadcast.domainId,
    broadcast.scheduledAt,
    releaseOf(broadcast),
    broadcast.queuedAt,
    broadcast.sentAt,
    broadcast.createdAt,
    broadcast.updatedAt,
    api_key_id ?? null,
    actor_kind ?? null,
    actor_id ?? null,
  ];
}

export const writtenColumns = [
  ...[
    'id',
    'team_id',
    'name',
    'segment_id',
    'topic_id',
    '"from"',
    'reply_to',
    'subject',
    'preview_text',
    'html',
    'text',
  ],
  ...[
    'status',
    'options',
    'domain_id',
    'scheduled_at',
    'release_at',
    'queued_at',
    'sent_at',
    'created_at',
    'updated_at',
  ],
  ...['api_key_id', 'actor_kind', 'actor_id'],
];

/** When a scheduled broadcast begins: where it goes out at the local time, when that comes to the first zone. */
function releaseOf({ scheduledAt, options: { localTime } }: Broadcast): Date | null {
  return scheduledAt === null || localTime === undefined ? scheduledAt : firstRelease(scheduledAt, localTime);
}
