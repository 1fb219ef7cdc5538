import { ReplyCategory, ReplyRule, replyRules } from './reply-rules.js';

export interface ReplyClass {
  readonly category: ReplyCategory;
  /** To be tried again whatever its code says. */
  readonly isTemporary: boolean;
}

/** A server says what it has to say at once; the rest of a reply of 64 KB is not searched. */
const maxJudgedCharacters = 2_048;

/** What a negative reply is about. */
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
