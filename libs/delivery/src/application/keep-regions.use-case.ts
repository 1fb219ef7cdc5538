import { PlaceDomains } from '#domains';
import type { MovedDomain } from '#domains';
import { Injectable } from '@nestjs/common';
import { standInsOf } from '../domain/stand-ins.js';
import { RegionDesk } from './ports/lanes.port.js';
import { ServedRegions } from '../domain/lane-name.js';

/** Domains whose mail one walk moves. */
const domainsAtOnce = 50;
/** Lanes examined with one statement. */
const lanesAtOnce = 500;
/** Time that one pass may spend, in ms. */
const spendMs = 200;
/** Until then a process that had the domain in its memory may put mail into its former region. */
const settleMs = 120_000;

interface Walk {
  readonly domains: readonly MovedDomain[];
  /** The last lane examined; empty before the first. */
  after: string;
  /** Domains with mail in a former region. */
  readonly found: Set<string>;
  /** There was more than one statement looks at, so that nothing is known of the others. */
  isCut: boolean;
}

/**
 * Lets regions stand in for others whose workers are gone, and moves mail that waits to the region from which its domain
 * sends now: after that, and after a domain was given another region. Mail that a worker has in hand stays where it is
 * until the attempt has ended.
 */
@Injectable()
export class KeepRegions {
  private walk: Walk | undefined;
  /** The last domain of the walk before, so that domains whose mail stays in hand for long do not hold up the others. */
  private last: MovedDomain | undefined;

  constructor(
    private readonly desk: RegionDesk,
    private readonly domains: PlaceDomains,
    private readonly served: ServedRegions,
  ) {}

  /**
   * Resolves with the regions whose domains were moved. `steadyForMs` is for how long this worker has reached the database
   * without a break: after an outage all regions look silent.
   */
  async standIn(steadyForMs: number): Promise<readonly { readonly region: string; readonly standIn: string | null }[]> {
    const { own, regions, patienceMs } = this.served;
    if (own === undefined || steadyForMs < patienceMs) return [];
    const { presences, areServed } = await this.desk.presences();
    if (areServed) return [];
    const moved = [];
    for (const [region, standIn] of standInsOf(regions, presences, patienceMs)) {
      if ((await this.domains.standIn(region, standIn)) > 0) moved.push({ region, standIn });
    }
    return moved;
  }

  /** Moves what waits in former regions: some thousands of recipients. The next run goes on where this one stopped. */
  async moveWaiting(now: Date): Promise<void> {
    const startedAt = performance.now();
    do {
      this.walk ??= await this.begin();
      if (this.walk === undefined) return;
      if (await this.step(this.walk)) continue;
      await this.end(this.walk, now);
      this.walk = undefined;
      return;
    } while (performance.now() - startedAt < spendMs);
  }

  private async begin(): Promise<Walk | undefined> {
    const domains = await this.domains.moved(domainsAtOnce, this.last);
    this.last = domains.length < domainsAtOnce ? undefined : domains.at(-1);
    return domains.length === 0 ? undefined : { domains, after: '', found: new Set(), isCut: false };
  }

  /** Whether there are more lanes to examine. */
  private async step(walk: Walk): Promise<boolean> {
    const { found, isCut, moved, lookedAt } = await this.desk.moveWaiting(walk.domains, walk.after, lanesAtOnce);
    for (const id of found) walk.found.add(id);
    // More may wait in the same lanes than one statement moves.
    if (moved > 0) return true;
    walk.isCut ||= isCut;
    walk.after = lookedAt ?? '';
    return lookedAt !== undefined;
  }

  private async end({ domains, found, isCut }: Walk, now: Date): Promise<void> {
    if (isCut) return;
    const settled = domains.filter(({ id, movedAt }) => !found.has(id) && now.getTime() - movedAt.getTime() > settleMs);
    if (settled.length > 0) await this.domains.settled(settled);
  }
}
