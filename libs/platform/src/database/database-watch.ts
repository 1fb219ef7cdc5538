import { DomainError } from '#kernel';
import { Logger } from '#platform/logging';
import { Injectable, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { PoolConnections } from './pool-connections.js';
import { NamedSession, NamedSessions } from './named-sessions.js';

const tickMs = 250;
/** Between the answer to one question and the next question. */
const ticksBetween = 2;
/** Without an answer for as long, PostgreSQL counts as away. A process that stood still itself has had no ticks. */
const ticksOfSilence = 20;

/** PostgreSQL has stopped answering, without its connections having broken. */
export class DatabaseSilentError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'The service is not ready. Please try again.');
  }
}

/**
 * Notices that PostgreSQL stands still, or is out of reach without a word, where every connection looks well and nothing is
 * ever answered. All that waits for it then fails at once, and so does all that would begin to wait, until it answers again.
 * A server that has died needs no watch: its connections break by themselves and new ones are refused.
 */
@Injectable()
export class DatabaseWatch implements OnModuleInit, OnApplicationShutdown {
  private readonly session: NamedSession;
  private timer: NodeJS.Timeout | undefined;
  private isAsking = false;
  private ticks = 0;

  constructor(
    sessions: NamedSessions,
    private readonly connections: PoolConnections,
    private readonly logger: Logger,
  ) {
    this.session = sessions.open('postrider-watch', 0);
  }

  onModuleInit(): void {
    // eslint-disable-next-line no-restricted-globals -- Ticks are counted, also while the question before is still open.
    this.timer = setInterval(() => this.tick(), tickMs);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.session.end();
  }

  private tick(): void {
    this.ticks++;
    if (!this.isAsking && this.ticks >= ticksBetween) void this.ask();
    else if (this.isAsking && this.ticks >= ticksOfSilence) this.close();
  }

  private async ask(): Promise<void> {
    this.isAsking = true;
    this.ticks = 0;
    try {
      await this.session.execute({ text: 'SELECT 1' });
      if (this.connections.isClosed) this.logger.info({}, 'PostgreSQL answers again');
      this.connections.reopen();
    } catch {
      // Refused, or broken: whoever needs it hears that for itself.
    } finally {
      this.isAsking = false;
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
