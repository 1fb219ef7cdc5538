/** The largest tree of rules that a step may have. Its fields are in `largePayload`, whose values match none of it. */
export const largestRule = {
  type: 'or',
  rules: Array.from({ length: 50 }, (_, no) => ({
    type: 'rule',
    field: `event.list.${no}.deep`,
    operator: 'contains',
    value: `${'b'.repeat(900)}${no}`,
  })),
};

export const largePayload = { list: Array.from({ length: 50 }, () => ({ deep: 'b'.repeat(1_200) })) };

/** A chain of conditions behind a trigger, each with this rule and the way on where it is not met. */
export function largeGraph(eventName: string, conditions: number, rule: object = largestRule) {
  const keys = Array.from({ length: conditions }, (_, no) => `step ${no}`);
  return {
    steps: [
      { key: 'start', type: 'trigger', config: { event_name: eventName } },
      ...keys.map((key) => ({ key, type: 'condition', config: rule })),
    ],
    connections: [
      { from: 'start', to: 'step 0' },
      ...keys.slice(1).map((key, no) => ({ from: `step ${no}`, to: key, type: 'condition_not_met' })),
    ],
  };
}
