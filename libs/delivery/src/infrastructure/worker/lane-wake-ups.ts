/** How often one lane is woken through the queue at most; what comes in between is covered by one more at the end. */
const everyMs = 100;

/** Wakes lanes no more often than is useful: the first time at once, then once per interval while there is more. */
export class LaneWakeUps {
  private readonly resting = new Map<string, boolean>();

  constructor(private readonly send: (lane: string) => void) {}

  wake(lane: string): void {
    if (this.resting.has(lane)) {
      this.resting.set(lane, true);
      return;
    }
    this.resting.set(lane, false);
    this.send(lane);
    setTimeout(() => {
      const again = this.resting.get(lane) === true;
      this.resting.delete(lane);
      if (again) this.wake(lane);
    }, everyMs);
  }
}
