import type { OtherWorkers } from './rate-shares.js';
import type { SiteSlots } from './site-slots.js';

/** How workers keep to the limits of a site together. Both are absent where this process is the only worker. */
export class SiteSharing {
  constructor(
    readonly slots?: SiteSlots,
    readonly others?: OtherWorkers,
  ) {}
}
