import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import { NamedSession, NamedSessions } from '#postgres/database';
import { DrainLane } from '../../application/drain-lane.use-case.js';
import { WorkerPresence } from '../../application/ports/delivery-queue.port.js';
import { ServedRegions } from '../../domain/lane-name.js';
import { WorkerIdentity } from '../../application/worker-identity.js';
import { heartbeatStatement, sessionOfWorker } from './lane-statements.js';

/** What a worker tells about itself with each heartbeat. */
interface WorkerAccount {
  readonly host: string;
  readonly pid: number;
  /** Lanes that it drains, and recipients that it has claimed. */
  readonly lanes: number;
  readonly held: number;
  /** CPU seconds per second since the previous account, over all threads. */
  readonly cpu: number;
  readonly memory: number;
}

@Injectable()
export class WorkerLoad {
  private cpu = process.cpuUsage();
  private at = performance.now();

  constructor(private readonly drains: DrainLane) {}

  read(): WorkerAccount {
    const [cpu, at] = [process.cpuUsage(), performance.now()];
    const used = (cpu.user + cpu.system - this.cpu.user - this.cpu.system) / 1_000;
    const share = used / Math.max(1, at - this.at);
    [this.cpu, this.at] = [cpu, at];
    return {
      host: hostname(),
      pid: process.pid,
      ...this.drains.load,
      cpu: Math.round(share * 1_000) / 1_000,
      memory: process.memoryUsage.rss(),
    };
  }
}

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
    private readonly served: ServedRegions,
  ) {
    super();
    this.session = sessions.open(`${sessionOfWorker}${worker.id}`, maxAnswerMs);
  }

  async heartbeat(): Promise<void> {
    await this.session.execute(heartbeatStatement(this.worker.id, this.served.own, this.load.read()));
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
