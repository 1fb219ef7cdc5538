type Port<T> = abstract new (...args: never[]) => T;

/**
 * Adapters that a program brings along instead of the ones its configuration would choose.
 *
 * ```ts
 * await startPostrider({ adapters: new Adapters().use(DeliveryTransport, new MyTransport()) });
 * ```
 */
export class Adapters {
  private readonly chosen = new Map<unknown, unknown>();

  use<T>(port: Port<T>, adapter: T): this {
    this.chosen.set(port, adapter);
    return this;
  }

  get isEmpty(): boolean {
    return this.chosen.size === 0;
  }

  has<T>(port: Port<T>): boolean {
    return this.chosen.has(port);
  }

  /** The adapter brought along for a port, or what `otherwise` makes. */
  choose<T>(port: Port<T>, otherwise: () => T): T {
    return this.chosen.has(port) ? (this.chosen.get(port) as T) : otherwise();
  }
}
