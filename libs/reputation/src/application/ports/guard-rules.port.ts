import { GuardSettings } from '../../domain/guard-limits.js';

/** The limits of the guard, as the operator has set them. */
export abstract class GuardRules {
  abstract readonly settings: GuardSettings;
}
