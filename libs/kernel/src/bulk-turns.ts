/** Where both kinds of mail wait, one turn in this many is that of bulk mail. */
export const bulkTurnEvery = 8;

/**
 * Decides whose turn it is where transactional mail and bulk mail wait for the same thing. Transactional mail goes first,
 * and bulk mail still gets one turn in `bulkTurnEvery`, so that neither stops the other. What a kind does not use goes to
 * the other one.
 */
export class BulkTurns {
  /** Turns of transactional mail in a row while bulk mail waited. */
  private passed = 0;

  /** Whether the next turn is that of bulk mail. To be called once for each turn. */
  isBulks(transactionalWaits: boolean, bulkWaits: boolean): boolean {
    if (!bulkWaits) return false;
    if (transactionalWaits && ++this.passed < bulkTurnEvery) return false;
    this.passed = 0;
    return true;
  }
}
