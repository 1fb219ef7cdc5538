import { ServedRegions } from '../../../libs/delivery/src/application/served-regions.js';

/** A process that sends for all regions. */
export const allRegions = new ServedRegions(undefined, []);
