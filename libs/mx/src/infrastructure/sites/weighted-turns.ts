import type { SourceHost } from './source-hosts.js';

/**
 * Chooses source hosts in turns, each as often as its weight says, spread evenly: the host with the most credit goes, and
 * pays for what all of them were given.
 */
export class WeightedTurns {
  readonly #credits = new WeakMap<SourceHost, number>();

  /** `hosts` is not empty. */
  next(hosts: readonly SourceHost[]): SourceHost {
    let best = hosts[0] as SourceHost;
    let [bestCredit, total] = [-Infinity, 0];
    for (const host of hosts) {
      const weight = host.weight ?? 1;
      const credit = (this.#credits.get(host) ?? 0) + weight;
      this.#credits.set(host, credit);
      total += weight;
      if (credit > bestCredit) [best, bestCredit] = [host, credit];
    }
    this.#credits.set(best, bestCredit - total);
    return best;
  }
}
