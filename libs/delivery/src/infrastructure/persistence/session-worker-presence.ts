import { NamedSession, NamedSessions } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { WorkerPresence } from '../../application/ports/worker-presence.port.js';
import { WorkerIdentity } from '../../application/worker-identity.js';
import { WorkerLoad } from '../worker-load.js';
import { heartbeatStatement, sessionOfWorker } from './worker-presence-statements.js';

/**
 * If two successful heartbeats are further apart than this, in ms, the database counts as having been away in between.
 */
const maxGapMs = 5_000;
/**
 * Maximum wait for the reply to a heartbeat. It is longer than PostgreSQL's statement timeout: if a session were closed
 * because a busy database replies late, the worker would look dead to the others.
 */
const maxAnswerMs = 25_000;

/**
 * Shows the other workers that this one is alive: a session named after it exists while the process can be reached, and
 * heartbeats over this session show that it works. They wait for no connection of the pool.
 */
@Injectable()
export class SessionWorkerPresence extends WorkerPresence {
  private readonly session: NamedSession;
  private steadySince: number | undefined;
  private lastHeartbeat = -Infinity;

  constructor(
    sessions: NamedSessions,
    private readonly worker: WorkerIdentity,
    private readonly load: WorkerLoad,
  ) {
    super();
    this.session = sessions.open(`${sessionOfWorker}${worker.id}`, maxAnswerMs);
  }

  async heartbeat(): Promise<void> {
    await this.session.execute(heartbeatStatement(this.worker.id, this.load.read()));
    const now = performance.now();
    if (this.steadySince === undefined || now - this.lastHeartbeat > maxGapMs) this.steadySince = now;
    this.lastHeartbeat = now;
  }

  /** For how long no heartbeat has been missed, in ms. */
  get steadyForMs(): number {
    const now = performance.now();
    if (this.steadySince === undefined || now - this.lastHeartbeat > maxGapMs) return 0;
    return now - this.steadySince;
  }

  end(): void {
    this.session.end();
  }
}
