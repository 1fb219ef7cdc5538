import { ServedRegions } from '../../../libs/delivery/src/domain/lane-name.js';

/** A process that sends for all regions. */
export const allRegions = new ServedRegions(undefined, []);
