/** Time between two beats of the event loop, and between two looks at them, in ms. */
export const beatMs = 200;

/** An event loop that does not turn for so long is frozen. */
export const frozenAfterMs = 1_000;

/**
 * Tells from looks at the beats whether the event loop is frozen. Time counts only as far as the one who looks was awake
 * himself: a machine that slept, or was busy with other programs, is no freeze.
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
