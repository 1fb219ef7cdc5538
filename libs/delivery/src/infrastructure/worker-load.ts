import { hostname } from 'node:os';
import { DrainLane } from '../application/drain-lane.use-case.js';
import { Injectable } from '@nestjs/common';

/** What a worker tells about itself with each heartbeat. */
export interface WorkerAccount {
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
