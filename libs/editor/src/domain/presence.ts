/** Somebody who has the content open: a person in a tab, or a program. */
export interface Presence {
  /** Of a tab, chosen by it; of a program, made from its key and its name. */
  readonly clientId: string;
  readonly name: string;
  readonly kind: 'person' | 'agent';
  /** One at a time writes. Programs do not count: what they write is seen by its revision. */
  readonly isWriting: boolean;
  readonly seenAt: Date;
}

/** A tab tells of itself every ten seconds. */
export const tabForMs = 30_000;
export const agentForMs = 5 * 60_000;
export const maxPresences = 20;
