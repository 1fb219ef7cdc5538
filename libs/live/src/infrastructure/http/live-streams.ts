import { DomainError } from '#kernel';
import { Metrics } from '#platform/metrics';
import { Timers } from '#platform/timers';
import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { LiveFeed, LiveSubscriber } from '../../application/live-feed.js';
import { LiveStream } from './live-stream.js';
import { SignedPositions } from './signed-positions.js';

const readEveryMs = 400;
const heartbeatEveryMs = 15_000;

/** The open streams of this process. At a stop they end first, because the HTTP server waits for its responses. */
@Injectable()
export class LiveStreams implements BeforeApplicationShutdown {
  private readonly streams = new Set<LiveStream>();
  private stopped = false;

  constructor(
    private readonly feed: LiveFeed,
    private readonly positions: SignedPositions,
    timers: Timers,
    metrics: Metrics,
  ) {
    timers.every(readEveryMs, 'reading live changes', () => this.feed.step());
    timers.every(heartbeatEveryMs, 'the heartbeats of live streams', () => this.heartbeats());
    metrics.gauge('postrider_live_streams', 'Live streams that are open', {
      read: (gauge) => gauge.set(this.streams.size),
    });
  }

  /** Takes over the reply and streams to it until either side ends. `lastId` is what the client sent as `Last-Event-ID`. */
  open(teamId: string, lastId: string | undefined, reply: FastifyReply): void {
    if (this.stopped) throw new DomainError('unavailable', 'service_unavailable', 'The service is stopping.');
    const stream = new LiveStream(reply.raw);
    const send: LiveSubscriber['send'] = (event, id) => stream.send(event, this.positions.sign(id));
    const unsubscribe = this.feed.subscribe({ teamId, send }, this.positions.read(lastId));
    reply.hijack();
    stream.begin(reply.getHeaders() as Record<string, string>);
    this.streams.add(stream);
    reply.raw.once('close', () => {
      unsubscribe();
      this.streams.delete(stream);
    });
  }

  beforeApplicationShutdown(): void {
    this.stopped = true;
    for (const stream of this.streams) stream.end();
  }

  private heartbeats(): Promise<void> {
    for (const stream of this.streams) stream.heartbeat();
    return Promise.resolve();
  }
}
