import { DomainError } from '#kernel';
import { Logger } from '#observability/logging';
import { Injectable, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { PoolConnections } from './pool-connections.js';
import { NamedSession, NamedSessions } from './named-sessions.js';

const tickMs = 250;
/** Ticks between the result of one probe and the next probe. */
const minTicksBetweenProbes = 2;
/** The same where the database is far away: the slower its answer, the rarer the question. */
const maxTicksBetweenProbes = 8;
const farMs = 20;
/**
 * PostgreSQL counts as unavailable after this many ticks without a result. Ticks and not time, because a process that was
 * itself frozen had no ticks.
 */
const maxTicksOfSilence = 20;

/** PostgreSQL does not respond any more, although its connections are not broken. */
export class DatabaseSilentError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'The service is not ready. Please try again.');
  }
}

/**
 * Detects that PostgreSQL hangs or is unreachable while its connections still look open. Then all waiting work fails
 * immediately, and so does all new work, until PostgreSQL responds again. A server that has stopped needs no watch, because
 * its connections break by themselves and new ones are refused.
 */
@Injectable()
export class DatabaseWatch implements OnModuleInit, OnApplicationShutdown {
  private readonly session: NamedSession;
  private timer: NodeJS.Timeout | undefined;
  private isProbing = false;
  private ticks = 0;
  private ticksBetweenProbes = minTicksBetweenProbes;

  constructor(
    sessions: NamedSessions,
    private readonly connections: PoolConnections,
    private readonly logger: Logger,
  ) {
    this.session = sessions.open('postrider-watch', 0);
  }

  onModuleInit(): void {
    // oxlint-disable-next-line no-restricted-globals -- Ticks are counted, also while the question before is still open.
    this.timer = setInterval(() => this.tick(), tickMs);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.session.end();
  }

  private tick(): void {
    this.ticks++;
    if (!this.isProbing && this.ticks >= this.ticksBetweenProbes) void this.probe();
    else if (this.isProbing && this.ticks >= maxTicksOfSilence) this.close();
  }

  private async probe(): Promise<void> {
    this.isProbing = true;
    this.ticks = 0;
    const askedAt = performance.now();
    try {
      await this.session.execute({ text: 'SELECT 1' });
      const ticks = Math.floor((performance.now() - askedAt) / farMs);
      this.ticksBetweenProbes = Math.min(maxTicksBetweenProbes, Math.max(minTicksBetweenProbes, ticks));
      if (this.connections.isClosed) this.logger.info({}, 'PostgreSQL answers again');
      this.connections.reopen();
    } catch {
      this.ticksBetweenProbes = minTicksBetweenProbes;
      // The connection was refused or broke. Every user of the database gets that error itself.
    } finally {
      this.isProbing = false;
      this.ticks = 0;
    }
  }

  private close(): void {
    this.ticks = 0;
    this.session.interrupt();
    if (this.connections.isClosed) return;
    this.logger.error({}, 'PostgreSQL does not answer: requests are refused until it does');
    this.connections.close(new DatabaseSilentError());
  }
}
