import { DomainError } from '#kernel';

/**
 * A parser of untrusted bytes. It must be pure, because it may run in another thread: `postMessage` must be able to
 * copy `options` and the result. Byte arrays that are the result, or a field of it, are moved.
 *
 * It is in a separate module that exports it as `parse` and imports as little as possible, because the thread loads all
 * of it.
 */
export interface Parser<Options, Result> {
  /** `import.meta.url` of that module. */
  readonly url: string;
  readonly parse: (bytes: Uint8Array, options: Options) => Result | Promise<Result>;
  /**
   * Inputs up to this size are parsed directly in the calling thread. 0 if even a small input may take long. The value must
   * be based on a measurement of the worst input of this size.
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

/** The thread sends this when the parser is loaded, before it begins to parse. The deadline counts from here. */
export const parsingBegins = { kind: 'begins' } as const;

export type ThreadMessage = ThreadReply | typeof parsingBegins;

/** A parser exceeded its deadline or memory limit, so the bytes cannot be read. `reason` is for logs and responses. */
export class UnreadableError extends Error {
  constructor(readonly reason: 'took too long' | 'took too much memory') {
    super(`Parsing ${reason}`);
  }
}

/** Too many inputs are waiting to be parsed, of this owner or in total. */
export class ParsingBusyError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'Too many messages are being read at once. Please try again later.');
  }
}
