/** Conditions of automations are the rules that emails have too. */
export { explained, holds, maxLeafRules, maxRuleDepth, parseRule, ruleOperators } from '#kernel';
export type { Rule } from '#kernel';

/** Finds the value of `event.…` or `contact.…`. Undefined: there is none. */
export type FieldReader = (field: string) => unknown;
