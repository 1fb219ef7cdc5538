import { BadOutcomes } from '#insights';
import type { TroubledPair } from '#insights';
import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { GuardStates } from './ports/guard-states.port.js';

/** Notes down whose mail had bad outcomes, for the guard to look at. */
@Injectable()
export class TroubledPairs extends BadOutcomes {
  constructor(private readonly states: GuardStates) {
    super();
  }

  touched(pairs: readonly TroubledPair[], transaction: Transaction): Promise<void> {
    return this.states.touch(pairs, transaction);
  }
}
