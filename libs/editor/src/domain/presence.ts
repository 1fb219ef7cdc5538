/** Somebody who has the content open: a person in a tab, or a program. */
export interface Presence {
  /** Of a tab, chosen by it; of a program, made from its key and its name. */
  readonly clientId: string;
  readonly name: string;
  readonly kind: 'person' | 'agent';
  /** Whether it may write. Programs do so without being asked: what they write is seen by its revision. */
  readonly isWriting: boolean;
  /** Where its caret is, and what it has chosen; null if it told nothing. */
  readonly cursor: Cursor | null;
  readonly seenAt: Date;
}

/** Positions in the document as that tab has it, as ProseMirror counts them. */
export interface Cursor {
  readonly anchor: number;
  readonly head: number;
}

/** A tab tells of itself every ten seconds. */
export const tabForMs = 30_000;
export const agentForMs = 5 * 60_000;
export const maxPresences = 20;
