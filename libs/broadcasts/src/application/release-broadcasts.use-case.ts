import { Clock, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Broadcast } from '../domain/broadcast.js';
import { BroadcastRepository } from './ports/broadcast-repository.port.js';
import { BroadcastSignal } from './ports/broadcast-signal.port.js';

/** Broadcasts of one transaction. */
const batchSize = 50;

/** Starts scheduled broadcasts that are due. Whoever has locked one starts it, so that it starts once. */
@Injectable()
export class ReleaseBroadcasts {
  constructor(
    private readonly broadcasts: BroadcastRepository,
    private readonly signal: BroadcastSignal,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Resolves with the number of started broadcasts, once none is due. */
  async execute(): Promise<number> {
    for (let released = 0; ;) {
      const ids = await this.release();
      ids.forEach((id) => this.signal.started(id));
      released += ids.length;
      if (ids.length < batchSize) return released;
    }
  }

  private release(): Promise<readonly string[]> {
    return this.work.run(async (transaction) => {
      const now = this.clock.now();
      const due = await this.broadcasts.lockDue(now, batchSize, transaction);
      for (const broadcast of due) {
        const started: Broadcast = { ...broadcast, status: 'queued', queuedAt: now, updatedAt: now };
        await this.broadcasts.update(started, transaction);
      }
      return due.map(({ id }) => id);
    });
  }
}
