import { createHash } from 'node:crypto';
import { defaultPool, laneName, maxLaneLength, testSite } from '../../domain/lane-name.js';
import { LaneNames, LaneRequest } from '../../application/ports/lanes.port.js';

/** Where mail goes: to the mail hosts of each domain, or all of it to one host. */
export type Destinations = 'mx' | 'relay' | 'sandbox';

/** Characters that remain of a name that is too long, before its hash. */
const maxReadableLength = maxLaneLength - 44;

/**
 * For `mx`, each recipient domain has a lane, named without asking the DNS so that acceptance never waits for it.
 * Otherwise there is one lane for the one host. Test addresses have a lane of their own.
 */
export class LanesByDestination extends LaneNames {
  private readonly testDomains: ReadonlySet<string>;

  constructor(
    private readonly destinations: Destinations,
    testDomains: readonly string[],
  ) {
    super();
    this.testDomains = new Set(testDomains);
  }

  laneOf({ region, recipientDomain }: LaneRequest): string {
    const lane = laneName({ region, pool: defaultPool, site: this.siteOf(recipientDomain.toLowerCase()) });
    if (lane.length <= maxLaneLength) return lane;
    return `${lane.slice(0, maxReadableLength)}#${createHash('sha256').update(lane).digest('base64url')}`;
  }

  private siteOf(domain: string): string {
    if (this.testDomains.has(domain)) return testSite;
    return this.destinations === 'mx' ? `mx:${domain}` : this.destinations;
  }
}
