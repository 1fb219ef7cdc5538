import { DomainError } from '#kernel';

/** A function that reads what somebody else wrote: a customer, a mail server, a name server, a reader's program. */
export interface RemoteParser {
  readonly name: string;
  /** The exported functions of `libs` that the parser is, or that it calls first. */
  readonly covers: readonly string[];
  /** The longest input that the program hands to it. Default 64 KB. */
  readonly maxCharacters?: number;
  /** What its input is made of, at most ten pieces: delimiters, brackets, quotes. */
  readonly pieces: readonly string[];
  /** Whole inputs that it understands. */
  readonly examples: readonly string[];
  /** Its time is bounded by a deadline and not by its input: only errors are looked for. */
  readonly hasDeadline?: boolean;
  readonly parse: (text: string) => unknown;
  /** Errors that are its answer to bad input. Default: every `DomainError`. */
  readonly refuses?: (error: unknown) => boolean;
}

export const maxInputCharacters = 64 * 1024;

export function isRefusal({ refuses }: RemoteParser, error: unknown): boolean {
  return error instanceof DomainError || refuses?.(error) === true;
}

/** As it comes over the wire: one byte per character. */
export function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/**
 * Milliseconds of processor time that the parser takes, and the error that it throws. Not the time on the wall: other
 * programs on the machine must not fail a test.
 */
export async function measured(
  parser: RemoteParser,
  text: string,
): Promise<{ readonly ms: number; readonly error?: Error }> {
  const started = process.cpuUsage();
  let error: Error | undefined;
  try {
    await parser.parse(text);
  } catch (thrown) {
    error = thrown instanceof Error ? thrown : new Error(String(thrown));
  }
  const { user, system } = process.cpuUsage(started);
  return { ms: (user + system) / 1_000, error };
}
