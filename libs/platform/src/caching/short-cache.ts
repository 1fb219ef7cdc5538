export interface ShortCacheOptions {
  readonly ttlMs: number;
  readonly maximumSize: number;
}

/**
 * Remembers what was found for a moment. Values that are undefined are not remembered, so that guesses cannot fill it.
 *
 * A load that was under way when `forget` was called may have seen the old state: its answer is used once, not kept.
 */
export class ShortCache<Value> {
  private readonly entries = new Map<string, { readonly value: Value; readonly until: number }>();
  private generation = 0;

  constructor(private readonly options: ShortCacheOptions) {}

  async get(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const entry = this.entries.get(key);
    if (entry !== undefined && entry.until > performance.now()) return entry.value;
    const { generation } = this;
    const value = await load();
    if (generation === this.generation) this.remember(key, value);
    return value;
  }

  forget(): void {
    this.generation++;
    this.entries.clear();
  }

  private remember(key: string, value: Value | undefined): void {
    if (value === undefined) {
      this.entries.delete(key);
      return;
    }
    if (this.entries.size >= this.options.maximumSize) this.entries.clear();
    this.entries.set(key, { value, until: performance.now() + this.options.ttlMs });
  }
}
