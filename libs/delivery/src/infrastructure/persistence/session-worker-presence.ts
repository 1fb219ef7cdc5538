import { NamedSession, NamedSessions } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { WorkerPresence } from '../../application/ports/worker-presence.port.js';
import { WorkerIdentity } from '../../application/worker-identity.js';
import { beatStatement, sessionOfWorker } from './worker-presence-statements.js';

/** Longer between two beats that succeeded, and the database counts as having been away in between, in ms. */
const maxGapMs = 5_000;
/**
 * For the answer to a heartbeat. Longer than PostgreSQL may take over a statement: a session that were given up because a
 * busy database answers late would look to the others like that of a worker that has died.
 */
const maxAnswerMs = 25_000;

/**
 * Shows the other workers that this one lives: by a session named after it, which stands while the process can be reached,
 * and by heartbeats over it, which say that it works. They wait for no connection of the pool.
 */
@Injectable()
export class SessionWorkerPresence extends WorkerPresence {
  private readonly session: NamedSession;
  private steadySince: number | undefined;
  private lastBeat = -Infinity;

  constructor(
    sessions: NamedSessions,
    private readonly worker: WorkerIdentity,
  ) {
    super();
    this.session = sessions.open(`${sessionOfWorker}${worker.id}`, maxAnswerMs);
  }

  async beat(): Promise<void> {
    await this.session.execute(beatStatement(this.worker.id));
    const now = performance.now();
    if (this.steadySince === undefined || now - this.lastBeat > maxGapMs) this.steadySince = now;
    this.lastBeat = now;
  }

  /** For how long no heartbeat has been missed, in ms. */
  get steadyForMs(): number {
    const now = performance.now();
    if (this.steadySince === undefined || now - this.lastBeat > maxGapMs) return 0;
    return now - this.steadySince;
  }

  end(): void {
    this.session.end();
  }
}
