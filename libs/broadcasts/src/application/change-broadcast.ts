import { DomainError, found, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Broadcast } from '../domain/broadcast.js';
import { BroadcastRepository } from './ports/broadcast-repository.port.js';

const maxTries = 5;

class BroadcastBusyError extends DomainError {
  constructor() {
    super('conflict', 'resource_locked', 'The broadcast is being changed by someone else. Try again.');
  }
}

/**
 * Changes a broadcast by what was read before. Checks may read from the database, which a transaction that holds a lock must not
 * wait for: so nothing is locked meanwhile, and the work begins again where the broadcast has changed since it was read.
 */
@Injectable()
export class ChangeBroadcast {
  constructor(
    private readonly broadcasts: BroadcastRepository,
    private readonly work: UnitOfWork,
  ) {}

  /** Returns the broadcast as it is written. */
  async execute(teamId: string, id: string, change: (broadcast: Broadcast) => Promise<Broadcast>): Promise<Broadcast> {
    for (let tries = 0; tries < maxTries; tries++) {
      const before = found('Broadcast', await this.broadcasts.find(teamId, id));
      const after = afterwards(before, await change(before));
      if (await this.write(before, after)) return after;
    }
    throw new BroadcastBusyError();
  }

  private write(before: Broadcast, after: Broadcast): Promise<boolean> {
    return this.work.run(async (transaction) => {
      const { teamId, id } = before;
      const locked = found('Broadcast', await this.broadcasts.lock(teamId, id, transaction));
      if (locked.updatedAt.getTime() !== before.updatedAt.getTime() || locked.status !== before.status) return false;
      await this.broadcasts.update(after, transaction);
      return true;
    });
  }
}

/** Every change has another `updatedAt`, also within one millisecond. */
function afterwards(before: Broadcast, after: Broadcast): Broadcast {
  const updatedAt = Math.max(after.updatedAt.getTime(), before.updatedAt.getTime() + 1);
  return { ...after, updatedAt: new Date(updatedAt) };
}
