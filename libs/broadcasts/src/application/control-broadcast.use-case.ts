import type { Permission, Principal } from '#identity';
import { Clock, found, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Broadcast } from '../domain/broadcast.js';
import { canceled, paused, resumed } from '../domain/transitions.js';
import { BroadcastRepository } from './ports/broadcast-repository.port.js';
import { BroadcastSignal } from './ports/broadcast-signal.port.js';

/** Stops and continues broadcasts. What was accepted is sent nevertheless. */
@Injectable()
export class ControlBroadcast {
  constructor(
    private readonly broadcasts: BroadcastRepository,
    private readonly signal: BroadcastSignal,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** For good. A scheduled broadcast becomes a draft again. */
  cancel(principal: Principal, id: string): Promise<void> {
    return this.change(principal, 'broadcasts:write', id, canceled);
  }

  /** Until it is resumed or canceled. */
  pause(principal: Principal, id: string): Promise<void> {
    return this.change(principal, 'broadcasts:write', id, paused);
  }

  async resume(principal: Principal, id: string): Promise<void> {
    await this.change(principal, 'broadcasts:send', id, resumed);
    this.signal.started(id);
  }

  private async change(
    principal: Principal,
    permission: Permission,
    id: string,
    transition: (broadcast: Broadcast, now: Date) => Broadcast,
  ): Promise<void> {
    principal.require(permission);
    await this.work.run(async (transaction) => {
      const broadcast = found('Broadcast', await this.broadcasts.lock(principal.teamId, id, transaction));
      await this.broadcasts.update(transition(broadcast, this.clock.now()), transaction);
    });
  }
}
