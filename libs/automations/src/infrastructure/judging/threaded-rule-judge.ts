import { ParserThreads, UnreadableError } from '#platform/parsing';
import { Injectable } from '@nestjs/common';
import { RuleJudge, RuleQuestion } from '../../application/ports/rule-judge.port.js';
import { Judged, ruleParser } from './rule.parser.js';

/** Large rules are judged in a parser thread, in the turn of their team. */
@Injectable()
export class ThreadedRuleJudge extends RuleJudge {
  constructor(private readonly parsers: ParserThreads) {
    super();
  }

  async judge(teamId: string, question: RuleQuestion, maxMs: number): Promise<Judged | undefined> {
    const bytes = new TextEncoder().encode(JSON.stringify(question));
    try {
      return await this.parsers.run(ruleParser, { owner: teamId, bytes, options: { maxMs } });
    } catch (error) {
      if (error instanceof UnreadableError) return undefined;
      throw error;
    }
  }
}
