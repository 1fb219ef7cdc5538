/** How long work goes on before others get their turn. */
const turnMs = 10;

/** Lets other work of this thread go on between the parts of long work. */
export class LoopTurn {
  private endsAt = performance.now() + turnMs;

  /** Resolves at once until the turn is over. */
  async next(): Promise<void> {
    if (performance.now() <= this.endsAt) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.endsAt = performance.now() + turnMs;
  }
}
