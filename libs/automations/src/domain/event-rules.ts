import { holds } from '#kernel';
import type { Rule } from '#kernel';
import { Payload } from './event-definition.js';
import { fieldsOf } from './run-fields.js';

/**
 * Comparisons that are made with the payload of one event: those of 500 triggers with large rules. Each takes up to 0.1 ms
 * (a text of 1,000 characters searched in one of 10,000).
 */
export const maxComparisons = 20_000;
/** The same for what happens to an email, which has two fields: some milliseconds. It is followed for all teams in one row. */
export const maxMailComparisons = 1_000;

/**
 * The rules that the payload of an event passes. Each is looked at once, even if many runs wait with it. After
 * `maxComparisons` the event passes no other rule.
 */
class EventRules {
  private readonly known = new Map<Rule, boolean>();
  private comparisons = 0;

  constructor(
    private readonly payload: Payload,
    private readonly maxComparisons: number,
  ) {}

  passes(rule: Rule): boolean {
    const known = this.known.get(rule);
    if (known !== undefined) return known;
    const read = fieldsOf({ payload: this.payload, waitEvents: {}, webhooks: {} }, undefined);
    const isPassed =
      this.comparisons < this.maxComparisons &&
      holds(rule, (field) => {
        this.comparisons++;
        return read(field);
      });
    this.known.set(rule, isPassed);
    return isPassed;
  }
}

const byPayload = new WeakMap<Payload, EventRules>();

/**
 * Whether the payload of an event passes the rule on `event.…` of a trigger, a goal or a wait. Null: every payload does.
 * @param limit comparisons that are made with this payload in all
 */
export function passes(rule: Rule | null, payload: Payload, limit = maxComparisons): boolean {
  if (rule === null) return true;
  const rules = byPayload.get(payload) ?? new EventRules(payload, limit);
  byPayload.set(payload, rules);
  return rules.passes(rule);
}
