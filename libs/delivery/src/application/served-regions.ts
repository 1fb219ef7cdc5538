import { Injectable } from '@nestjs/common';
import { regionOfLane } from '../domain/lane-name.js';

/** From which regions this process sends mail. */
@Injectable()
export class ServedRegions {
  /**
   * `own` is undefined for a process that sends for all regions. `regions` are all that are configured, the default first.
   * After `patienceMs` without a worker of a region another one stands in for it.
   */
  constructor(
    readonly own: string | undefined,
    readonly regions: readonly string[],
    readonly patienceMs = 0,
  ) {}

  /** The default region also sends what is in no configured region: mail of domains that are gone, and of former regions. */
  serves(lane: string): boolean {
    if (this.own === undefined) return true;
    const region = regionOfLane(lane);
    return region === this.own || (this.own === this.regions[0] && !this.regions.includes(region));
  }
}
