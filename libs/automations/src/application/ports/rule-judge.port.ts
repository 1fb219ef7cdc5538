import type { Rule } from '#kernel';

/** Values by the fields that a rule names. A field without a value is absent. */
export type RuleValues = Readonly<Record<string, unknown>>;

export interface RuleQuestion {
  readonly rule: Rule;
  /** The rule is judged with each of them. */
  readonly readings: readonly RuleValues[];
}

export interface Judgement {
  readonly holds: boolean;
  /** Why, in words. */
  readonly said: string;
}

/** Judges rules outside of the thread in which others are served: large ones take seconds. */
export abstract class RuleJudge {
  /** Resolves with a judgement for each reading and the time it took, or with undefined if it takes longer than `maxMs`. */
  abstract judge(
    teamId: string,
    question: RuleQuestion,
    maxMs: number,
  ): Promise<{ readonly judgements: readonly Judgement[]; readonly ms: number } | undefined>;
}
