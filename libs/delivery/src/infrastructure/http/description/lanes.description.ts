import { MissingFieldError, ValidationError } from '#kernel';
import type { ApiDescription } from '#platform/api-description';
import { LaneNotPausedError, LanePausedError } from '../../../application/hold-lane.use-case.js';

const lane = 'eu-west-1/default/mx:gmail.com';
const workerId = '0193a1ee-1d10-7f3c-b2a4-90d6c81e4f57';

const invalidLane = new ValidationError(
  'The `lane` field must be the name of a lane, such as `eu-west-1/default/mx:gmail.com`.',
);

const laneExample = {
  lane,
  waiting: 1_204,
  waiting_is_more: false,
  oldest_at: '2026-11-30 20:39:59.54+00',
  worker_id: workerId,
  limits: {
    profile: 'google',
    site: 'gmail.com',
    source: null,
    held_by: 'connection_limit',
    connections: { current: 5, most: 10 },
    messages_per_minute: { current: 600, most: 1_200 },
    per_second: 9.7,
    under_way: 40,
    narrowed: { at: '2026-11-30T20:41:00.000Z', reply: '421 4.7.0 Try again later' },
  },
  pause: null,
  hold: null,
};

const workerExample = {
  id: workerId,
  started_at: '2026-11-30 08:00:00+00',
  heartbeat_at: '2026-11-30 20:42:11.2+00',
  host: 'mail-1',
  pid: 4711,
  lanes: 38,
  under_way: 412,
  cpu: 0.42,
  memory_bytes: 214_958_080,
};

export const apiDescription: ApiDescription = {
  tag: 'Machine room',
  tagDescription: 'The state of the installation, for its operator. API keys and members of teams may not read it.',
  schemas: {
    QueueResponse: {
      description: 'What waits to be delivered, and who delivers it.',
      properties: {
        object: 'Always `queue`.',
        waiting: 'Recipients that wait, of all teams, counted up to 50,000.',
        waiting_is_more: 'Whether there are more than were counted.',
        lane_count: 'Lanes with mail, counted up to 1,000.',
        lane_count_is_more: 'Whether there are more than were counted.',
        oldest_at: 'When the mail was accepted that has waited longest.',
        lanes: 'The 24 lanes that wait most, and those that the operator has paused.',
        workers: 'The workers that live.',
      },
    },
    LaneResponse: {
      description: 'A queue of mail that shares limits.',
      properties: {
        lane: 'Its name: region, pool of source addresses, destination.',
        waiting: 'Recipients that wait in it, counted up to 10,000.',
        waiting_is_more: 'Whether there are more than were counted.',
        oldest_at: 'When the mail was accepted that is due next.',
        worker_id: 'The worker that drains it at the moment.',
        limits: 'What holds it back at the moment, if anything does.',
        pause: 'Its site is down or asked for less mail.',
        hold: 'The operator has paused it.',
      },
    },
    LaneLimitsResponse: {
      description: 'What holds a lane back.',
      properties: {
        profile: 'The profile that the limits began with.',
        site: 'The hosts that receive its mail.',
        source: 'Name of the source host, where some are configured.',
        held_by: 'The limit that is reached.',
        connections: 'Connections to the site.',
        messages_per_minute: 'Messages per minute to the site.',
        per_second: 'Recipients finished per second, averaged over some seconds.',
        under_way: 'Recipients that the worker has claimed.',
        narrowed: 'What last narrowed the limits, while they are narrower than those of the profile.',
      },
    },
    LaneLimitResponse: {
      description: 'A limit that adapts to what the site takes.',
      properties: { current: 'Its present value.', most: 'The value of the profile, which it does not exceed.' },
    },
    LaneNarrowingResponse: {
      description: 'A refusal because of load.',
      properties: { at: 'When it came.', reply: 'What the site said.' },
    },
    LanePauseResponse: {
      description: 'A lane whose site cannot be reached, or does not want mail at the moment.',
      properties: {
        since: 'When the trouble began.',
        until: 'When the site is tried again.',
        reason: 'What was found.',
      },
    },
    LaneHoldResponse: {
      description: 'A pause by the operator.',
      properties: {
        since: 'When it was paused.',
        note: 'Why.',
        actor: 'Who paused it.',
        actor_id: 'The id of the user or API key.',
      },
    },
    WorkerResponse: {
      description: 'A process that delivers.',
      properties: {
        id: 'Its id, new with each start.',
        started_at: 'When it started.',
        heartbeat_at: 'Its last sign of life.',
        host: 'Name of its machine.',
        pid: 'Id of its process.',
        lanes: 'Lanes that it drains.',
        under_way: 'Recipients that it has claimed.',
        cpu: 'CPU seconds per second, over all threads.',
        memory_bytes: 'Resident memory.',
      },
    },
    LaneStateResponse: {
      description: 'Whether a lane is paused.',
      properties: { object: 'Always `lane`.', lane: 'Its name.', paused: 'Whether the operator has paused it.' },
    },
    PauseLaneRequest: {
      description: 'The lane to pause.',
      properties: { lane: 'Its name.', note: 'Why, for the other operators. At most 200 characters.' },
    },
    ResumeLaneRequest: { description: 'The lane to resume.', properties: { lane: 'Its name.' } },
  },
  operations: {
    'GET /machine-room/queue': {
      operationId: 'getQueue',
      summary: 'Get the queue',
      description:
        'The lanes that wait most, with what holds them back, and the workers. A reading is shared for a second.',
      responses: {
        200: {
          description: 'The queue.',
          example: {
            object: 'queue',
            waiting: 1_530,
            waiting_is_more: false,
            lane_count: 41,
            lane_count_is_more: false,
            oldest_at: '2026-11-30 20:39:59.54+00',
            lanes: [laneExample],
            workers: [workerExample],
          },
        },
      },
      errors: [],
    },
    'POST /machine-room/queue/pause': {
      operationId: 'pauseLane',
      summary: 'Pause a lane',
      description:
        'No worker takes mail from the lane until it is resumed. Deliveries under way end. The pause outlives restarts. Mail ' +
        'that waits too long fails as usual, once the lane is resumed.',
      request: {
        description: 'The lane.',
        examples: { lane: { summary: 'A lane', value: { lane, note: 'They asked us to' } } },
      },
      responses: { 200: { description: 'The lane is paused.', example: { object: 'lane', lane, paused: true } } },
      errors: [new MissingFieldError('lane'), invalidLane, new LanePausedError()],
    },
    'POST /machine-room/queue/resume': {
      operationId: 'resumeLane',
      summary: 'Resume a lane',
      description: 'Ends the pause. Workers take mail from the lane at once.',
      request: { description: 'The lane.', examples: { lane: { summary: 'A lane', value: { lane } } } },
      responses: { 200: { description: 'The lane is resumed.', example: { object: 'lane', lane, paused: false } } },
      errors: [new MissingFieldError('lane'), invalidLane, new LaneNotPausedError()],
    },
  },
};
