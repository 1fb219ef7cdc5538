import { LeafRule, maxLeafRules, maxRuleDepth, parseRule, Rule, ruleOperators } from './rule.js';

/**
 * A rule as it stands in a tag: `contact.plan eq "pro" and (contact.age gte 18 or contact.town exists)`. Values are JSON. Signs that
 * html or tags would take for their own are written as `\u003c`.
 */
export function writtenCondition(rule: Rule): string {
  if (rule.type === 'rule') return writtenLeaf(rule);
  const parts = rule.rules.map((each) => (each.type === 'rule' ? writtenLeaf(each) : `(${writtenCondition(each)})`));
  return parts.join(` ${rule.type} `);
}

function writtenLeaf({ field, operator, value }: LeafRule): string {
  if (operator === 'exists' || operator === 'is_empty') return `${field} ${operator}`;
  const json = JSON.stringify(value ?? null);
  const safe = json.replace(/[<>&'{}]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `${field} ${operator} ${safe}`;
}

const token = /[ \t\r\n]{0,4000}(?:([()])|("(?:[^"\\{}]|\\.){0,4000}")|'([^'\\{}]{0,4000})'|([\w+\-.]{1,255}))/y;
/** What a field without an operator must not be, as in Handlebars: also a value is text, and an empty list is `[]`. */
const falsy = [false, 0, '[]'];

/** Reads what `writtenCondition` writes, and what people write: `'pro'`, and a field alone, which has to have a value. Undefined if the text is no condition. Linear in its length. */
export function parsedCondition(text: string): Rule | undefined {
  const tokens = tokensOf(text);
  if (tokens === undefined) return undefined;
  const reader = new ConditionReader(tokens);
  const rule = reader.group(1);
  if (rule === undefined || !reader.isAtEnd) return undefined;
  try {
    return parseRule('The condition', rule, ['']);
  } catch {
    return undefined;
  }
}

function tokensOf(text: string): readonly string[] | undefined {
  const tokens: string[] = [];
  const end = text.trimEnd().length;
  token.lastIndex = 0;
  while (token.lastIndex < end) {
    const match = token.exec(text);
    if (match === null) return undefined;
    tokens.push(match[1] ?? match[2] ?? match[4] ?? JSON.stringify(match[3]));
  }
  return tokens;
}

class ConditionReader {
  private at = 0;
  private leaves = 0;

  constructor(private readonly tokens: readonly string[]) {}

  get isAtEnd(): boolean {
    return this.at === this.tokens.length;
  }

  /** Rules that are all joined by `and`, or all by `or`. A mixture needs parentheses. */
  group(depth: number): Rule | undefined {
    if (depth > maxRuleDepth) return undefined;
    const rules: Rule[] = [];
    let joint: string | undefined;
    for (;;) {
      const rule = this.one(depth);
      if (rule === undefined) return undefined;
      rules.push(rule);
      const next = this.tokens[this.at];
      if (next !== 'and' && next !== 'or') break;
      if (joint !== undefined && joint !== next) return undefined;
      joint = next;
      this.at++;
    }
    return joint === undefined ? rules[0] : { type: joint as 'and' | 'or', rules };
  }

  private one(depth: number): Rule | undefined {
    if (this.tokens[this.at] !== '(') return this.leaf();
    this.at++;
    const rule = this.group(depth + 1);
    if (this.tokens[this.at++] !== ')') return undefined;
    return rule;
  }

  private leaf(): Rule | undefined {
    const [field, name] = [this.tokens[this.at], this.tokens[this.at + 1]];
    const operator = ruleOperators.find((known) => known === name);
    if (field === undefined || !/^\w[\w.]*$/.test(field)) return undefined;
    if (++this.leaves > maxLeafRules) return undefined;
    if (operator === undefined) {
      this.at++;
      const others = falsy.map((value) => ({ type: 'rule', field, operator: 'neq', value }) as const);
      return { type: 'and', rules: [{ type: 'rule', field, operator: 'exists' }, ...others] };
    }
    this.at += 2;
    if (operator === 'exists' || operator === 'is_empty') return { type: 'rule', field, operator };
    const value = scalarOf(this.tokens[this.at++]);
    return value === undefined ? undefined : { type: 'rule', field, operator, value };
  }
}

function scalarOf(json: string | undefined): string | number | boolean | null | undefined {
  if (json === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? undefined : (value as string | number | boolean | null);
  } catch {
    return undefined;
  }
}
