import { ReplyCategory, ReplyRule, replyRules } from './reply-rules.js';

export interface ReplyClass {
  readonly category: ReplyCategory;
  /** To be retried, whatever the reply code is. */
  readonly isTemporary: boolean;
}

/** Only this part of a reply is searched: the reason comes first, and a reply may have 64 KB. */
const maxJudgedCharacters = 2_048;

/** Classifies a negative reply by its cause. */
export function classifyReply(code: number, enhancedCode: string | undefined, text: string): ReplyClass {
  const rule = ruleFor(code, enhancedCode, text);
  return { category: rule?.category ?? 'unknown', isTemporary: code < 500 || rule?.isTemporary === true };
}

export function ruleFor(code: number, enhancedCode: string | undefined, text: string): ReplyRule | undefined {
  const judged = text.slice(0, maxJudgedCharacters);
  return replyRules.find(
    (rule) =>
      (rule.code === undefined || rule.code.test(String(code))) &&
      (rule.enhanced === undefined || (enhancedCode !== undefined && rule.enhanced.test(enhancedCode))) &&
      (rule.text === undefined || rule.text.test(judged)),
  );
}
