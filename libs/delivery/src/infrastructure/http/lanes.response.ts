import { timestamp, timestampOrNull, toResponse } from '#http/server';
import {
  Always,
  Amount,
  Field,
  Flag,
  Id,
  IdOrNull,
  Instant,
  ListOf,
  Moment,
  MomentOrNull,
  OneOf,
  Shape,
  Text,
  TextOrNull,
  Whole,
  WholeOrNull,
} from '#http/openapi';
import type { LaneOverview, QueueOverview, RegionOverview, WorkerOverview } from '../../domain/lane-overview.js';
import { workerId } from './example-ids.js';

@Shape('A lane whose site cannot be reached, or does not want mail at the moment.')
export class LanePauseResponse {
  @Moment('When the trouble began.') since!: string;
  @Moment('When the site is tried again.') until!: string;
  @Text('What was found.') reason!: string;
}

@Shape('A pause by the operator.')
export class LaneHoldResponse {
  @Moment('When it was paused.') since!: string;
  @TextOrNull('Why.') note!: string | null;
  @OneOf(['api_key', 'user', 'service'], 'Who paused it.') actor!: string;
  @IdOrNull('The id of the user or API key.') actor_id!: string | null;
}

@Shape('A limit that adapts to what the site takes.')
export class LaneLimitResponse {
  @Whole('Its present value.', 5) current!: number;
  @Whole('The value of the profile, which it does not exceed.', 10) most!: number;
}

@Shape('A refusal because of load.')
export class LaneNarrowingResponse {
  @Instant('When it came.', '2026-11-30T20:41:00.000Z') at!: string;
  @Text('What the site said.', '421 4.7.0 Try again later') reply!: string;
}

@Shape('What holds a lane back.')
export class LaneLimitsResponse {
  @Text('The profile that the limits began with.', 'google') profile!: string;
  @Text('The hosts that receive its mail.', 'gmail.com') site!: string;
  @TextOrNull('Name of the source host, where some are configured.') source!: string | null;
  @OneOf(['connection_limit', 'rate_limit', 'back_off'], 'The limit that is reached.', 'connection_limit')
  held_by!: string;
  @Field('Connections to the site.', { type: LaneLimitResponse }) connections!: LaneLimitResponse;
  @Field('Messages per minute to the site.', { type: LaneLimitResponse }, { current: 600, most: 1200 })
  messages_per_minute!: LaneLimitResponse;
  @Amount('Recipients finished per second, averaged over some seconds.', 9.7) per_second!: number;
  @Whole('Recipients that the worker has claimed.', 40) under_way!: number;
  @Field('What last narrowed the limits, while they are narrower than those of the profile.', {
    type: LaneNarrowingResponse,
    nullable: true,
  })
  narrowed!: LaneNarrowingResponse | null;
}

@Shape('A queue of mail that shares limits.')
export class LaneResponse {
  @Text('Its name: region, pool of source addresses, destination.', 'eu-west-1/default/mx:gmail.com') lane!: string;
  @Whole('Recipients that wait in it, counted up to 10,000.', 1204) waiting!: number;
  @Flag('Whether there are more than were counted.', false) waiting_is_more!: boolean;
  @MomentOrNull('When the mail was accepted that is due next.', '2026-11-30 20:39:59.54+00')
  oldest_at!: string | null;
  @IdOrNull('The worker that drains it at the moment.', workerId) worker_id!: string | null;
  @Field('What holds it back at the moment, if anything does.', { type: LaneLimitsResponse, nullable: true })
  limits!: LaneLimitsResponse | null;
  @Field('Its site is down or asked for less mail.', { type: LanePauseResponse, nullable: true }, null)
  pause!: LanePauseResponse | null;
  @Field('The operator has paused it.', { type: LaneHoldResponse, nullable: true }, null)
  hold!: LaneHoldResponse | null;
}

@Shape('A process that delivers.')
export class WorkerResponse {
  @Id('Its id, new with each start.', workerId) id!: string;
  @Moment('When it started.', '2026-11-30 08:00:00+00') started_at!: string;
  @Moment('Its last sign of life.', '2026-11-30 20:42:11.2+00') heartbeat_at!: string;
  @TextOrNull('Region whose mail it sends; null if it sends for all.', 'eu-west-1') region!: string | null;
  @TextOrNull('Name of its machine.', 'mail-1') host!: string | null;
  @WholeOrNull('Id of its process.', 4711) pid!: number | null;
  @Whole('Lanes that it drains.', 38) lanes!: number;
  @Whole('Recipients that it has claimed.', 412) under_way!: number;
  @Amount('CPU seconds per second, over all threads.', 0.42) cpu!: number;
  @Whole('Resident memory.', 214_958_080) memory_bytes!: number;
}

@Shape('A region from which mail is sent.')
export class RegionStateResponse {
  @Text('Its name.', 'eu-west-1') name!: string;
  @Whole('Workers of its own that are alive.', 2) workers!: number;
  @WholeOrNull('Seconds since a worker of its own was seen; null if none ever was.', 1)
  silent_seconds!: number | null;
  @Flag('Whether a worker sends for it: its own, or one that sends for all regions.', true) sending!: boolean;
  @TextOrNull('Region that sends the mail of its domains with fail-over; null while none has to.')
  stand_in!: string | null;
}

@Shape('What waits to be delivered, and who delivers it.')
export class QueueResponse {
  @Always('queue') object!: 'queue';
  @Whole('Recipients that wait, of all teams, counted up to 50,000.', 1530) waiting!: number;
  @Flag('Whether there are more than were counted.', false) waiting_is_more!: boolean;
  @Whole('Lanes with mail, counted up to 1,000.', 41) lane_count!: number;
  @Flag('Whether there are more than were counted.', false) lane_count_is_more!: boolean;
  @MomentOrNull('When the mail was accepted that has waited longest.', '2026-11-30 20:39:59.54+00')
  oldest_at!: string | null;
  @ListOf(LaneResponse, 'The 24 lanes that wait most, and those that the operator has paused.')
  lanes!: LaneResponse[];
  @ListOf(WorkerResponse, 'The workers that live.') workers!: WorkerResponse[];
  @ListOf(RegionStateResponse, 'The regions; empty where no worker has one of its own.')
  regions!: RegionStateResponse[];
}

@Shape('Whether a lane is paused.')
export class LaneStateResponse {
  @Always('lane') object!: 'lane';
  @Text('Its name.', 'eu-west-1/default/mx:gmail.com') lane!: string;
  @Flag('Whether the operator has paused it.', true) paused!: boolean;
}

export function queueResponse(queue: QueueOverview): QueueResponse {
  return {
    object: 'queue',
    waiting: queue.waiting.count,
    waiting_is_more: queue.waiting.isMore,
    lane_count: queue.lanes.count,
    lane_count_is_more: queue.lanes.isMore,
    oldest_at: timestampOrNull(queue.oldestAt),
    lanes: queue.longest.map(laneResponse),
    workers: queue.workers.map(workerResponse),
    regions: queue.regions.map(regionResponse),
  };
}

const laneResponse = (overview: LaneOverview): LaneResponse =>
  toResponse(LaneResponse, overview, {
    waiting: overview.waiting.count,
    waiting_is_more: overview.waiting.isMore,
    limits: overview.report === undefined ? null : limitsResponse(overview.report),
    pause:
      overview.pause === undefined
        ? null
        : {
            since: timestamp(overview.pause.since),
            until: timestamp(overview.pause.until),
            reason: overview.pause.reason,
          },
    hold:
      overview.hold === undefined
        ? null
        : {
            since: timestamp(overview.hold.since),
            note: overview.hold.note ?? null,
            actor: overview.hold.actor.kind,
            actor_id: overview.hold.actor.kind === 'service' ? null : overview.hold.actor.id,
          },
  });

const limitsResponse = (report: NonNullable<LaneOverview['report']>): LaneLimitsResponse =>
  toResponse(LaneLimitsResponse, report, {
    messages_per_minute: {
      current: Math.round(report.messagesPerMinute.current),
      most: Math.round(report.messagesPerMinute.most),
    },
    under_way: report.held,
  });

const regionResponse = (overview: RegionOverview): RegionStateResponse =>
  toResponse(RegionStateResponse, overview, {
    silent_seconds: overview.silentMs === undefined ? null : Math.floor(overview.silentMs / 1_000),
    sending: overview.workers > 0 || overview.isServedByAll,
  });

const workerResponse = (worker: WorkerOverview): WorkerResponse =>
  toResponse(WorkerResponse, worker, {
    under_way: worker.held,
    memory_bytes: worker.memory,
  });
