import { Timers } from '#platform/timers';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { CarryOutErasures } from '../../application/carry-out-erasures.use-case.js';

const pauseMs = 2_000;
/** Portions of one turn, so that a stop does not wait for a large erasure. */
const maxPortions = 20;

/** Carries out erasures. Every worker runs it; a lease keeps two from working on the same one. */
@Injectable()
export class PrivacyWorker implements OnApplicationBootstrap {
  constructor(
    private readonly erasures: CarryOutErasures,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(pauseMs, 'erasing personal data', () => this.erase());
  }

  private async erase(): Promise<void> {
    for (let portion = 0; portion < maxPortions; portion++) if (!(await this.erasures.step())) return;
  }
}
