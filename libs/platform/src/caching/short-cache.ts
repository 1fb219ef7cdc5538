import type { MaybePromise } from '#kernel';

export interface ShortCacheOptions {
  readonly ttlMs: number;
  readonly maxEntries: number;
}

/**
 * Caches loaded values for a short time, and gives a cached one at once. Concurrent callers with the same key share one
 * load. Undefined values are not cached, so that guessed keys cannot fill the cache.
 *
 * A load that is running when `forget` is called may return the old state: its value is given to the callers that
 * already wait for it, and is not cached.
 */
export class ShortCache<Value> {
  private entries = new Map<string, { readonly value: Value; readonly until: number }>();
  private loading = new Map<string, Promise<Value | undefined>>();

  constructor(private readonly options: ShortCacheOptions) {}

  get(key: string, load: () => Promise<Value | undefined>): MaybePromise<Value | undefined> {
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

  /** Writes into the map from the start of the load. After `forget` that map is not used any more. */
  private remember(
    entries: Map<string, { readonly value: Value; readonly until: number }>,
    key: string,
    value: Value,
  ): void {
    if (entries.size >= this.options.maxEntries) entries.clear();
    entries.set(key, { value, until: performance.now() + this.options.ttlMs });
  }
}
