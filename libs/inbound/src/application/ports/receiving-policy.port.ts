import { RefusalPolicy } from '../../domain/refusal-policy.js';

/** The operator's choices. */
export abstract class ReceivingPolicy {
  abstract readonly refusals: RefusalPolicy;
}
