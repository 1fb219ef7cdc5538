/** A call of a step. */
export interface StepCall {
  readonly teamId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How it was answered. */
export interface StepAnswer {
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** The body; undefined if it is larger than 64 KB. */
  readonly body: string | undefined;
  /** Why there was no answer. */
  readonly error: string | null;
  /** Another attempt would be in vain. */
  readonly isFinal: boolean;
}

/**
 * Calls a URL that a customer has chosen. Never throws for anything the remote side did. Resolves within some seconds,
 * whatever the host does.
 */
export abstract class StepCaller {
  abstract call(call: StepCall): Promise<StepAnswer>;
}
