export interface Subject {
  readonly teamId: string;
  /** In lower case. */
  readonly address: string;
}

export interface Portion {
  readonly erased: number;
  /** Where the next portion begins; undefined at the end. */
  readonly next: string | undefined;
  /** Whether something could not be erased yet. */
  readonly isWaiting: boolean;
}

/** Everything in the program that stores something about addresses. */
export abstract class DataHolders {
  /** Names of the lists, in the order in which they are worked through. */
  abstract readonly names: readonly string[];

  abstract records(name: string, subject: Subject): AsyncIterable<object>;

  /** Erases one bounded portion. It may be repeated. */
  abstract erase(name: string, subject: Subject, after: string | undefined): Promise<Portion>;
}
