import { Foundation1763700000000 } from './1763700000000-foundation.js';

/** In the order in which they run. */
export const migrations = [Foundation1763700000000];
