const measuredForMs = 100;

/**
 * Measures the turns of the event loop of this thread. A turn handles what is ready on every connection, and accepts a
 * single new one (libuv since 1.45), so clients that connect wait for a turn each.
 */
export class LoopTurns {
  private before = { at: 0, active: 0, turns: 0 };
  private mean = 0;

  /** Mean duration of the turns of the last 100 ms and longer, without the time in which they waited for events (ms). */
  get meanMs(): number {
    const at = performance.now();
    if (at - this.before.at < measuredForMs) return this.mean;
    const { active } = performance.eventLoopUtilization();
    const turns = performance.nodeTiming.uvMetricsInfo.loopCount;
    this.mean = (active - this.before.active) / Math.max(1, turns - this.before.turns);
    this.before = { at, active, turns };
    return this.mean;
  }
}
