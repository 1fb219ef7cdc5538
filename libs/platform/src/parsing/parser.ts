/**
 * A parser of bytes that a customer or a stranger wrote. Pure: it may run in another thread, where it shares nothing with
 * this one, so `options` and the result must be what `postMessage` can copy. Byte arrays that are the result, or a field
 * of it, are moved.
 *
 * It lives in a module of its own that exports it as `parse`, and imports as little as it can: the thread loads all of it.
 */
export interface Parser<Options, Result> {
  /** `import.meta.url` of that module. */
  readonly url: string;
  readonly parse: (bytes: Uint8Array, options: Options) => Result | Promise<Result>;
  /**
   * Inputs up to this size are parsed at once, in this thread: 0 where even a small one may take long. Whoever sets it has
   * measured the worst input of this size.
   */
  readonly maxInlineBytes: number;
}

export interface ThreadRequest {
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly options: unknown;
}

export type ThreadReply =
  { readonly kind: 'parsed'; readonly value: unknown } | { readonly kind: 'failed'; readonly message: string };

/** Said before the parsing begins, when all that it needs is loaded: its deadline counts from here. */
export const parsingBegins = { kind: 'begins' } as const;

export type ThreadMessage = ThreadReply | typeof parsingBegins;
