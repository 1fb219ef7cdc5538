import { ReplyCategory, ReplyRule, replyRules } from './reply-rules.js';

export interface ReplyClass {
  readonly category: ReplyCategory;
  /** To be tried again whatever its code says. */
  readonly isTemporary: boolean;
}

/** What a negative reply is about. */
export function classifyReply(code: number, enhancedCode: string | undefined, text: string): ReplyClass {
  const rule = ruleFor(code, enhancedCode, text);
  return { category: rule?.category ?? 'unknown', isTemporary: code < 500 || rule?.isTemporary === true };
}

export function ruleFor(code: number, enhancedCode: string | undefined, text: string): ReplyRule | undefined {
  return replyRules.find(
    (rule) =>
      (rule.code === undefined || rule.code.test(String(code))) &&
      (rule.enhanced === undefined || (enhancedCode !== undefined && rule.enhanced.test(enhancedCode))) &&
      (rule.text === undefined || rule.text.test(text)),
  );
}
