import type { Principal } from '#identity';
import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { RequestedBroadcast } from '../domain/broadcast-fields.js';
import { Broadcast } from '../domain/broadcast.js';
import { checkSchedule } from '../domain/schedule.js';
import { queued, scheduled } from '../domain/transitions.js';
import { ChangeBroadcast } from './change-broadcast.js';
import { CheckBroadcast } from './check-broadcast.js';
import { BroadcastSignal } from './ports/broadcast-signal.port.js';
import { WriteBroadcasts } from './write-broadcasts.use-case.js';

/** Sends a broadcast, now or at a time. */
@Injectable()
export class StartBroadcast {
  constructor(
    private readonly changeBroadcast: ChangeBroadcast,
    private readonly write: WriteBroadcasts,
    private readonly check: CheckBroadcast,
    private readonly signal: BroadcastSignal,
    private readonly clock: Clock,
  ) {}

  /** Creates a broadcast and starts it. Where it may not start, it is not created either. Returns its id. */
  async create(principal: Principal, requested: RequestedBroadcast, at: Date | undefined): Promise<string> {
    const draft = await this.write.draft(principal, requested);
    const started = await this.started(principal, draft, at);
    await this.write.insert(started);
    this.tell(started);
    return started.id;
  }

  /** Starts a draft. A scheduled broadcast gets another time, or starts at once. */
  async execute(principal: Principal, id: string, at: Date | undefined): Promise<void> {
    principal.require('broadcasts:send');
    const started = await this.changeBroadcast.execute(principal.teamId, id, (broadcast) =>
      this.started(principal, broadcast, at),
    );
    this.tell(started);
  }

  private async started(principal: Principal, broadcast: Broadcast, at: Date | undefined): Promise<Broadcast> {
    const now = this.clock.now();
    const { actor } = principal;
    // The state is asked first: what is sent already needs no other reason.
    const start = (domainId: string): Broadcast =>
      at === undefined || at <= now
        ? queued(broadcast, { domainId, actor, now })
        : scheduled(broadcast, at, { domainId, actor, now });
    start('');
    if (at !== undefined) checkSchedule(at, now);
    const { domainId } = await this.check.execute(principal, broadcast);
    return start(domainId);
  }

  private tell({ id, status }: Broadcast): void {
    if (status === 'queued') this.signal.started(id);
  }
}
