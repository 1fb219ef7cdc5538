import type { Rule } from '#kernel';

/** Conditions of automations are the rules that emails have too. */
export { explained, holds, maxLeafRules, maxRuleDepth, parseRule, ruleOperators } from '#kernel';
export type { Rule } from '#kernel';

/** The fields that a rule reads. */
export function fieldsIn(rule: Rule): readonly string[] {
  return rule.type === 'rule' ? [rule.field] : rule.rules.flatMap(fieldsIn);
}

/** Finds the value of `event.…` or `contact.…`. Undefined: there is none. */
export type FieldReader = (field: string) => unknown;
