import { RefusalPolicy } from '../../domain/refusal-policy.js';

/** The operator's choices. */
export abstract class ReceivingPolicy {
  abstract readonly refusals: RefusalPolicy;
  /** Messages of this process that the spam scorer, and the virus scanner, check at the same time. */
  abstract readonly maxScans: number;
}
