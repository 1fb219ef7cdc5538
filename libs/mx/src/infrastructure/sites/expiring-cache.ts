interface Entry<Value> {
  readonly value: Promise<Value>;
  expiresAt: number;
}

/** Responses kept for a while and bounded in number, the oldest dropped first. Callers at the same time share one question. */
export class ExpiringCache<Key, Value> {
  readonly #entries = new Map<Key, Entry<Value>>();

  constructor(
    private readonly most: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Answered, or being asked. */
  has(key: Key): boolean {
    return (this.#entries.get(key)?.expiresAt ?? 0) > this.now();
  }

  /** What fails is not kept. */
  get(key: Key, ask: (key: Key) => Promise<Value>, keepMs: (value: Value) => number): Promise<Value> {
    const known = this.#entries.get(key);
    if (known !== undefined && known.expiresAt > this.now()) return known.value;
    this.#entries.delete(key);
    const entry: Entry<Value> = { value: ask(key), expiresAt: Infinity };
    this.#entries.set(key, entry);
    entry.value.then(
      (value) => (entry.expiresAt = this.now() + keepMs(value)),
      () => (entry.expiresAt = 0),
    );
    this.#trim();
    return entry.value;
  }

  /** Puts something in place of an answer. */
  set(key: Key, value: Value, keepMs: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value: Promise.resolve(value), expiresAt: this.now() + keepMs });
    this.#trim();
  }

  #trim(): void {
    if (this.#entries.size <= this.most) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
