import type { Principal } from '#identity';
import { DomainError } from '#kernel';
import { endTurn, onceSent } from '#http/server';
import { Metrics } from '#observability/metrics';
import { Timers } from '#platform/timers';
import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { LiveFeed, LiveSubscriber } from '../../application/live-feed.js';
import { LiveChanges } from '../../application/ports/live-changes.port.js';
import { LiveStream } from './live-stream.js';
import { SignedPositions } from './signed-positions.js';

const readEveryMs = 400;
/** A stream whose opener may no longer open it ends within a second. */
const checkEveryMs = 500;
const heartbeatEveryMs = 15_000;

/** The open streams of this process. At a stop they end first, because the HTTP server waits for its responses. */
@Injectable()
export class LiveStreams implements BeforeApplicationShutdown {
  private readonly streams = new Map<LiveStream, Principal>();
  private stopped = false;

  constructor(
    private readonly feed: LiveFeed,
    private readonly positions: SignedPositions,
    private readonly changes: LiveChanges,
    timers: Timers,
    metrics: Metrics,
  ) {
    timers.every(readEveryMs, 'reading live changes', () => this.feed.step());
    timers.every(checkEveryMs, 'closing live streams whose opener may not have them', () => this.closeRevoked());
    timers.every(heartbeatEveryMs, 'the heartbeats of live streams', () => this.heartbeats());
    metrics.gauge('postrider_live_streams', 'Live streams that are open', {
      read: (gauge) => gauge.set(this.streams.size),
    });
  }

  /** Takes over the reply and streams to it until either side ends. `lastId` is what the client sent as `Last-Event-ID`. */
  open(opener: Principal, lastId: string | undefined, reply: FastifyReply): void {
    if (this.stopped) throw new DomainError('unavailable', 'service_unavailable', 'The service is stopping.');
    const stream = new LiveStream(reply.raw);
    const send: LiveSubscriber['send'] = (event, id) => stream.send(event, this.positions.sign(id));
    const subscriber = { teamId: opener.teamId, send, end: () => stream.end() };
    const unsubscribe = this.feed.subscribe(subscriber, this.positions.read(lastId));
    reply.hijack();
    endTurn(reply.request);
    stream.begin(reply.getHeaders() as Record<string, string>);
    this.streams.set(stream, opener);
    onceSent(reply, () => {
      unsubscribe();
      this.streams.delete(stream);
    });
  }

  beforeApplicationShutdown(): void {
    this.stopped = true;
    for (const stream of this.streams.keys()) stream.end();
  }

  private async closeRevoked(): Promise<void> {
    if (this.streams.size === 0) return;
    const open = [...this.streams];
    const present = await this.changes.mayStillWatch(open.map(([, opener]) => opener));
    open.forEach(([stream], n) => {
      if (present[n] !== true) stream.end();
    });
  }

  private heartbeats(): Promise<void> {
    for (const stream of this.streams.keys()) stream.heartbeat();
    return Promise.resolve();
  }
}
