import { DynamicModule, Global, Module } from '@nestjs/common';

type Port<T> = abstract new (...args: never[]) => T;

/**
 * Adapters that a program provides in place of the ones that its configuration selects.
 *
 * ```ts
 * await startPostrider({ adapters: new Adapters().use(DeliveryTransport, new MyTransport()) });
 * ```
 */
export class Adapters {
  private readonly chosen = new Map<Port<unknown>, unknown>();
  private readonly asked = new Set<Port<unknown>>();

  use<T>(port: Port<T>, adapter: T): this {
    this.chosen.set(port, adapter);
    return this;
  }

  get isEmpty(): boolean {
    return this.chosen.size === 0;
  }

  has<T>(port: Port<T>): boolean {
    this.asked.add(port);
    return this.chosen.has(port);
  }

  /** The adapter that was provided for a port, or the result of `otherwise`. */
  choose<T>(port: Port<T>, otherwise: () => T): T {
    this.asked.add(port);
    return this.chosen.has(port) ? (this.chosen.get(port) as T) : otherwise();
  }

  /**
   * Throws for an adapter that no module has asked for, because it would be ignored. To be called after all modules are
   * loaded.
   */
  refuseUnused(): void {
    const unused = [...this.chosen.keys()].filter((port) => !this.asked.has(port)).map(({ name }) => name);
    if (unused.length === 0) return;
    const replaceable = [...this.asked].map(({ name }) => name).sort();
    throw new Error(`Nothing takes an adapter for ${unused.join(', ')}. Replaceable ports: ${replaceable.join(', ')}`);
  }
}

@Global()
@Module({})
export class AdaptersModule {
  static forRoot(adapters: Adapters): DynamicModule {
    return { module: AdaptersModule, providers: [{ provide: Adapters, useValue: adapters }], exports: [Adapters] };
  }
}
