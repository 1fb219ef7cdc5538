import { Clock, newId } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ErasureProgress, ErasureWork, LeasedErasure } from '../domain/erasure.js';
import { DataHolders, ErasureRepository } from './ports/erasure-repository.port.js';

/** How long mail that is being delivered, or a failure, delays the next attempt. */
const waitMs = 10 * 60_000;

/**
 * Carries out erasures, portion by portion. The position is stored after each portion, so that another process
 * continues where one stopped; the portion in between is repeated without effect.
 */
@Injectable()
export class CarryOutErasures {
  private readonly holder = newId();

  constructor(
    private readonly erasures: ErasureRepository,
    private readonly data: DataHolders,
    private readonly clock: Clock,
  ) {}

  /** Leases the erasure whose turn it is, or renews the lease of this process. */
  claim(): Promise<LeasedErasure | undefined> {
    return this.erasures.claim(this.holder, this.clock.now());
  }

  /** Keeps the lease while a portion takes long: stored messages may have to be rewritten one by one. */
  renew({ id }: LeasedErasure): Promise<void> {
    return this.erasures.renew(id, this.holder);
  }

  /** Erases one portion. An erasure that fails makes way for the others. */
  async work(erasure: LeasedErasure): Promise<void> {
    try {
      await this.erasePortion(erasure);
    } catch (error) {
      await this.erasures.delay(erasure.id, this.holder, this.nextAttempt());
      throw error;
    }
  }

  private async erasePortion({ openAddress, ...leased }: LeasedErasure): Promise<void> {
    const work = { ...leased, address: openAddress() };
    const progress = await this.eraseNext(work);
    if (progress.holder !== null) await this.erasures.save(work.id, this.holder, progress);
    else await this.end(work.id, progress);
  }

  /** The list to erase next is null at the end. */
  private async eraseNext(work: ErasureWork): Promise<ErasureProgress> {
    const names = this.data.names;
    const name = work.holder ?? names[0];
    if (name === undefined) return { ...work, holder: null };
    const portion = await this.data.erase(name, work, work.position ?? undefined);
    const counts = { ...work.counts, [name]: (work.counts[name] ?? 0) + portion.erased };
    // A run that starts over does not know yet what the previous one waited for.
    const isWaiting = (work.holder !== null && work.isWaiting) || portion.isWaiting;
    if (portion.next !== undefined) return { counts, isWaiting, holder: name, position: portion.next };
    return { counts, isWaiting, holder: names[names.indexOf(name) + 1] ?? null, position: null };
  }

  private end(id: string, { counts, isWaiting }: ErasureProgress): Promise<void> {
    return isWaiting
      ? this.erasures.postpone(id, this.holder, counts, this.nextAttempt())
      : this.erasures.complete(id, this.holder, counts, this.clock.now());
  }

  private nextAttempt(): Date {
    return new Date(this.clock.now().getTime() + waitMs);
  }
}
