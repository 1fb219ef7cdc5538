const maxFactor = 16;

/**
 * Determines how long no connection is tried after a failure. The time doubles with each failure in a row, up to 16
 * times.
 */
export class BackOff {
  #failuresInARow = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly firstMs: number,
    private readonly onOver: () => void,
  ) {}

  get isOn(): boolean {
    return this.#timer !== undefined;
  }

  failed(): void {
    if (this.#timer !== undefined) return;
    const factor = Math.min(2 ** this.#failuresInARow++, maxFactor);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.onOver();
    }, this.firstMs * factor);
  }

  succeeded(): void {
    this.#failuresInARow = 0;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
