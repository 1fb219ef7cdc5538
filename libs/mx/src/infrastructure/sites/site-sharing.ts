import type { OtherWorkers } from './rate-shares.js';
import type { SiteSlots } from './site-slots.js';

/** The means by which workers share the limits of a site. Both are absent if this process is the only worker. */
export class SiteSharing {
  constructor(
    readonly slots?: SiteSlots,
    readonly others?: OtherWorkers,
  ) {}
}
