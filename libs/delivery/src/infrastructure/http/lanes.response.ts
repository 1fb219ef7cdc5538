import { timestamp } from '#platform/http';
import { ApiProperty, Flag, IdOrNull, Moment, MomentOrNull, OneOf, Text, TextOrNull, Whole } from '#platform/openapi';
import type { LaneOverview, QueueOverview, WorkerOverview } from '../../domain/lane-overview.js';

const amount = (): PropertyDecorator => ApiProperty({ type: Number });

export class LanePauseResponse {
  @Moment() since!: string;
  @Moment() until!: string;
  @Text() reason!: string;
}

export class LaneHoldResponse {
  @Moment() since!: string;
  @TextOrNull() note!: string | null;
  @OneOf('api_key', 'user', 'service') actor!: string;
  @IdOrNull() actor_id!: string | null;
}

export class LaneLimitResponse {
  @Whole() current!: number;
  @Whole() most!: number;
}

export class LaneNarrowingResponse {
  @ApiProperty({ type: String, format: 'date-time' }) at!: string;
  @Text() reply!: string;
}

export class LaneLimitsResponse {
  @Text() profile!: string;
  @Text() site!: string;
  @TextOrNull() source!: string | null;
  @OneOf('connection_limit', 'rate_limit', 'back_off') held_by!: string;
  @ApiProperty({ type: LaneLimitResponse }) connections!: LaneLimitResponse;
  @ApiProperty({ type: LaneLimitResponse }) messages_per_minute!: LaneLimitResponse;
  @amount() per_second!: number;
  @Whole() under_way!: number;
  @ApiProperty({ type: LaneNarrowingResponse, nullable: true }) narrowed!: LaneNarrowingResponse | null;
}

export class LaneResponse {
  @Text() lane!: string;
  @Whole() waiting!: number;
  @Flag() waiting_is_more!: boolean;
  @MomentOrNull() oldest_at!: string | null;
  @IdOrNull() worker_id!: string | null;
  @ApiProperty({ type: LaneLimitsResponse, nullable: true }) limits!: LaneLimitsResponse | null;
  @ApiProperty({ type: LanePauseResponse, nullable: true }) pause!: LanePauseResponse | null;
  @ApiProperty({ type: LaneHoldResponse, nullable: true }) hold!: LaneHoldResponse | null;
}

export class WorkerResponse {
  @ApiProperty({ type: String, format: 'uuid' }) id!: string;
  @Moment() started_at!: string;
  @Moment() heartbeat_at!: string;
  @TextOrNull() host!: string | null;
  @ApiProperty({ type: 'integer', nullable: true }) pid!: number | null;
  @Whole() lanes!: number;
  @Whole() under_way!: number;
  @amount() cpu!: number;
  @Whole() memory_bytes!: number;
}

export class QueueResponse {
  @OneOf('queue') object!: 'queue';
  @Whole() waiting!: number;
  @Flag() waiting_is_more!: boolean;
  @Whole() lane_count!: number;
  @Flag() lane_count_is_more!: boolean;
  @MomentOrNull() oldest_at!: string | null;
  @ApiProperty({ type: [LaneResponse] }) lanes!: LaneResponse[];
  @ApiProperty({ type: [WorkerResponse] }) workers!: WorkerResponse[];
}

export class LaneStateResponse {
  @OneOf('lane') object!: 'lane';
  @Text() lane!: string;
  @Flag() paused!: boolean;
}

export function queueResponse(queue: QueueOverview): QueueResponse {
  return {
    object: 'queue',
    waiting: queue.waiting.count,
    waiting_is_more: queue.waiting.isMore,
    lane_count: queue.lanes.count,
    lane_count_is_more: queue.lanes.isMore,
    oldest_at: momentOrNull(queue.oldestAt),
    lanes: queue.longest.map(laneResponse),
    workers: queue.workers.map(workerResponse),
  };
}

function laneResponse({ lane, waiting, oldestAt, workerId, report, pause, hold }: LaneOverview): LaneResponse {
  return {
    lane,
    waiting: waiting.count,
    waiting_is_more: waiting.isMore,
    oldest_at: momentOrNull(oldestAt),
    worker_id: workerId ?? null,
    limits: report === undefined ? null : limitsResponse(report),
    pause:
      pause === undefined
        ? null
        : { since: timestamp(pause.since), until: timestamp(pause.until), reason: pause.reason },
    hold:
      hold === undefined
        ? null
        : {
            since: timestamp(hold.since),
            note: hold.note ?? null,
            actor: hold.actor.kind,
            actor_id: hold.actor.kind === 'service' ? null : hold.actor.id,
          },
  };
}

function limitsResponse(report: NonNullable<LaneOverview['report']>): LaneLimitsResponse {
  return {
    profile: report.profile,
    site: report.site,
    source: report.source ?? null,
    held_by: report.heldBy,
    connections: report.connections,
    messages_per_minute: {
      current: Math.round(report.messagesPerMinute.current),
      most: Math.round(report.messagesPerMinute.most),
    },
    per_second: report.perSecond,
    under_way: report.held,
    narrowed: report.narrowed ?? null,
  };
}

function workerResponse(worker: WorkerOverview): WorkerResponse {
  return {
    id: worker.id,
    started_at: timestamp(worker.startedAt),
    heartbeat_at: timestamp(worker.heartbeatAt),
    host: worker.host ?? null,
    pid: worker.pid ?? null,
    lanes: worker.lanes,
    under_way: worker.held,
    cpu: worker.cpu,
    memory_bytes: worker.memory,
  };
}

function momentOrNull(moment: Date | undefined): string | null {
  return moment === undefined ? null : timestamp(moment);
}
