import { Injectable } from '@nestjs/common';
import { BroadcastRuns } from '../ports/broadcast-runs.port.js';

/** Removes the rows that only a running broadcast needs, in batches, once it is over. */
@Injectable()
export class TidyBroadcasts {
  private isStopping = false;

  constructor(private readonly runs: BroadcastRuns) {}

  /** False where nothing is left. */
  async step(): Promise<boolean> {
    return !this.isStopping && (await this.runs.tidy());
  }

  stop(): void {
    this.isStopping = true;
  }
}
