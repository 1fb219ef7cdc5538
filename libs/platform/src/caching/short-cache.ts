export interface ShortCacheOptions {
  readonly ttlMs: number;
  readonly maxEntries: number;
}

/**
 * Remembers what was found for a moment, and lets callers that ask for the same at once share one load. Values that are
 * undefined are not remembered, so that guesses cannot fill it.
 *
 * A load that was under way when `forget` was called may have seen the old state: its answer goes to those who already
 * waited for it, and is not kept.
 */
export class ShortCache<Value> {
  private entries = new Map<string, { readonly value: Value; readonly until: number }>();
  private loading = new Map<string, Promise<Value | undefined>>();

  constructor(private readonly options: ShortCacheOptions) {}

  async get(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const entry = this.entries.get(key);
    if (entry !== undefined && entry.until > performance.now()) return entry.value;
    return this.loading.get(key) ?? this.load(key, load);
  }

  forget(): void {
    this.entries = new Map();
    this.loading = new Map();
  }

  private async load(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const { entries, loading } = this;
    const promise = load();
    loading.set(key, promise);
    try {
      const value = await promise;
      if (value === undefined) entries.delete(key);
      else this.remember(entries, key, value);
      return value;
    } finally {
      loading.delete(key);
    }
  }

  /** Into the map as it was when the load began: after `forget` nobody looks there any more. */
  private remember(
    entries: Map<string, { readonly value: Value; readonly until: number }>,
    key: string,
    value: Value,
  ): void {
    if (entries.size >= this.options.maxEntries) entries.clear();
    entries.set(key, { value, until: performance.now() + this.options.ttlMs });
  }
}
