import { ValidationError } from '#kernel';
import type { Rule } from '#kernel';
import { Judgement, RuleJudge, RuleValues } from './ports/rule-judge.port.js';
import { FieldReader } from '../domain/run-fields.js';

/** How long the rules of a trial may take, those of all of its steps together. */
const maxRulesMs = 2_000;

export class TrialRules {
  private spentMs = 0;

  constructor(
    private readonly judge: RuleJudge,
    private readonly teamId: string,
  ) {}

  /** Throws ValidationError if the rules of the trial take too long. */
  async judgeAll(rule: Rule, readers: readonly FieldReader[]): Promise<readonly Judgement[]> {
    if (readers.length === 0) return [];
    const readings = readers.map((read) => valuesOf(rule, read));
    const left = maxRulesMs - this.spentMs;
    const judged = left > 0 ? await this.judge.judge(this.teamId, { rule, readings }, left) : undefined;
    if (judged === undefined) {
      throw new ValidationError('The rules take too long to be tried: use fewer rules or events, or smaller payloads.');
    }
    this.spentMs += judged.ms;
    return judged.judgements;
  }

  async judgeOne(rule: Rule, read: FieldReader): Promise<Judgement> {
    const [judgement] = await this.judgeAll(rule, [read]);
    return judgement ?? { holds: false, said: '' };
  }
}

/** What the rule looks at, and nothing else: it is copied for another thread. */
function valuesOf(rule: Rule, read: FieldReader): RuleValues {
  if (rule.type === 'rule') return { [rule.field]: read(rule.field) };
  return Object.assign({}, ...rule.rules.map((each) => valuesOf(each, read))) as RuleValues;
}
