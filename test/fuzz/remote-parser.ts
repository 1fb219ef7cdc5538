import { DomainError } from '#kernel';

/** A function that parses text of a customer, a mail server, a name server or a reader's client. */
export interface RemoteParser {
  readonly name: string;
  /** The exported functions of `libs` that this parser covers. */
  readonly covers: readonly string[];
  /** Maximum length of the input that the program passes to it. Default 64 KB. */
  readonly maxCharacters?: number;
  /** Pieces of its grammar, at most ten: delimiters, brackets, quotes. */
  readonly pieces: readonly string[];
  /** Further pieces, which are tried only alone, because pairs take long. */
  readonly more?: readonly string[];
  /** Complete valid inputs. */
  readonly examples: readonly string[];
  /** Its time is bounded by a deadline, not by its input, so only errors are checked. */
  readonly hasDeadline?: boolean;
  readonly parse: (text: string) => unknown;
  /** The errors with which it refuses bad input. Default: every `DomainError`. */
  readonly refuses?: (error: unknown) => boolean;
}

export const maxInputCharacters = 64 * 1024;

export function isRefusal({ refuses }: RemoteParser, error: unknown): boolean {
  return error instanceof DomainError || refuses?.(error) === true;
}

/** The text as bytes, one per character. */
export function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** Calls all functions, even if some throw, and then throws the last error. */
export function each(...readers: readonly (() => unknown)[]): void {
  let refusal: Error | undefined;
  for (const read of readers) {
    try {
      read();
    } catch (error) {
      refusal = error as Error;
    }
  }
  if (refusal !== undefined) throw refusal;
}

/**
 * Milliseconds that the parser takes, and the error that it throws: of processor time and time on the clock the less, because
 * the clock counts other programs, and the processor time of a process counts its garbage collection and compilation in other
 * threads.
 */
export async function measured(
  parser: RemoteParser,
  text: string,
): Promise<{ readonly ms: number; readonly error?: Error }> {
  const startedAt = performance.now();
  const started = process.cpuUsage();
  let error: Error | undefined;
  try {
    await parser.parse(text);
  } catch (thrown) {
    error = thrown instanceof Error ? thrown : new Error(String(thrown));
  }
  const { user, system } = process.cpuUsage(started);
  return { ms: Math.min((user + system) / 1_000, performance.now() - startedAt), error };
}
