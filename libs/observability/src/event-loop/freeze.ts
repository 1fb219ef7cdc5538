/** Interval of the heartbeats of the event loop, and of the checks, in ms. */
export const beatMs = 200;

/** An event loop is frozen when its last heartbeat is older than this, in ms. */
export const frozenAfterMs = 1_000;

/**
 * Tells from periodic checks of the heartbeats whether the event loop is frozen. Time counts only while the checking
 * thread was running itself: a suspended machine, or one that is busy with other programs, is not a freeze.
 */
export class FreezeDetector {
  private lastBeat: number | undefined;
  private lastLook = 0;
  private silentMs = 0;

  /** For how long the event loop has been frozen, in ms; undefined while it turns. */
  get frozenMs(): number | undefined {
    return this.silentMs >= frozenAfterMs ? this.silentMs : undefined;
  }

  look(beat: number, now: number): 'turns' | 'freezes' | 'is frozen' | 'thaws' {
    const wasFrozen = this.frozenMs !== undefined;
    const elapsedMs = now - this.lastLook;
    this.lastLook = now;
    if (beat !== this.lastBeat) {
      this.lastBeat = beat;
      this.silentMs = 0;
      return wasFrozen ? 'thaws' : 'turns';
    }
    this.silentMs += Math.min(elapsedMs, 2 * beatMs);
    if (this.frozenMs === undefined) return 'turns';
    return wasFrozen ? 'is frozen' : 'freezes';
  }
}
