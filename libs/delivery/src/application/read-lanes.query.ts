import { Injectable } from '@nestjs/common';
import type { QueueOverview } from '../domain/lane-overview.js';
import { LaneDesk } from './ports/lane-desk.port.js';

const freshForMs = 1_000;

/** The lanes for the machine room. All who look at it share one reading. */
@Injectable()
export class ReadLanes {
  private reading: Promise<QueueOverview> | undefined;
  private readAt = -Infinity;

  constructor(private readonly desk: LaneDesk) {}

  execute(): Promise<QueueOverview> {
    if (this.reading !== undefined && performance.now() - this.readAt < freshForMs) return this.reading;
    this.readAt = performance.now();
    const reading = this.desk.overview();
    this.reading = reading;
    reading.catch(() => {
      if (this.reading === reading) this.reading = undefined;
    });
    return reading;
  }
}
