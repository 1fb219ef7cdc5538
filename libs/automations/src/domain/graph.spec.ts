import { describe, expect, it } from '@jest/globals';
import { Graph, maxSteps } from './graph.js';

const trigger = { key: 'start', type: 'trigger', config: { event_name: 'user.created' } };
const wait = (key: string): unknown => ({ key, type: 'delay', config: { duration: '1 hour' } });
const condition = {
  key: 'is pro',
  type: 'condition',
  config: { type: 'rule', field: 'event.plan', operator: 'eq', value: 'pro' },
};
const from = (source: string, to: string, type?: string): unknown => ({ from: source, to, type });

describe('the steps of an automation', () => {
  it('lead from one to the next', () => {
    const graph = Graph.parse(
      [trigger, condition, wait('a'), wait('b')],
      [from('start', 'is pro'), from('is pro', 'a', 'condition_met'), from('is pro', 'b', 'condition_not_met')],
    );
    expect(graph.triggers).toMatchObject([{ key: 'start', action: { eventName: 'user.created' } }]);
    expect(graph.next('start')).toBe('is pro');
    expect(graph.next('is pro', 'condition_not_met')).toBe('b');
    expect(graph.next('b')).toBeUndefined();
    expect(graph.orderFrom('start')).toEqual(['start', 'is pro', 'a', 'b']);
    expect(graph.stored.connections[0]).toEqual({ from: 'start', to: 'is pro', type: 'default' });
  });

  it('may be a trigger alone, have several triggers, and join branches', () => {
    expect(Graph.parse([trigger], []).next('start')).toBeUndefined();
    const other = { key: 'other', type: 'trigger', config: { event_name: 'user.invited' } };
    const joined = Graph.parse([trigger, other, wait('a')], [from('start', 'a'), from('other', 'a')]);
    expect(joined.triggers).toHaveLength(2);
    expect(joined.orderFrom('other')).toEqual(['other', 'a']);
  });

  it('may begin with the same event in different ways, and go on elsewhere after a call that failed', () => {
    const entered = (key: string, segment_id: string) => ({
      key,
      type: 'trigger',
      config: { event_name: 'resend:segment.entered', segment_id },
    });
    const ids = ['0193a1f6-0b7e-7d25-9c48-e1a5f7306b2d', '0193a1f6-0b7e-7d25-9c48-e1a5f7306b2e'] as const;
    const call = { key: 'call', type: 'webhook', config: { url: 'https://example.test' } };
    const graph = Graph.parse(
      [entered('one', ids[0]), entered('other', ids[1]), call, wait('a')],
      [from('one', 'call'), from('other', 'a'), from('call', 'a', 'failed')],
    );
    expect(graph.triggers.map(({ action }) => action.subjectId)).toEqual(ids);
    expect([graph.next('call'), graph.next('call', 'failed')]).toEqual([undefined, 'a']);
    expect(() => Graph.parse([entered('one', ids[0]), entered('other', ids[0])], [])).toThrow('of another trigger');
  });

  it('are read again as they were stored', () => {
    const { stored } = Graph.parse([trigger, wait('a')], [from('start', 'a')]);
    expect(Graph.of(stored).stored).toEqual(stored);
  });

  it.each([
    [[], [], 'needs a trigger'],
    [[wait('a')], [], 'needs a step of the type `trigger`'],
    [[trigger, { ...trigger, key: 'again' }], [], 'has the event of another trigger'],
    [[trigger, wait('start')], [], '`start` is used by more than one step'],
    [[trigger, wait('a')], [], '`a` cannot be reached'],
    [[trigger, wait('a'), wait('b')], [from('start', 'a'), from('a', 'b'), from('b', 'a')], 'part of a circle'],
    [[trigger, wait('a')], [from('start', 'a'), from('a', 'a')], 'part of a circle'],
    [[trigger], [from('start', 'lost')], 'names no step: `lost`'],
    [[trigger], [from('start', 'start')], 'may lead to the trigger `start`'],
    [[trigger, wait('a')], [from('start', 'a', 'timeout')], 'must have the `type` `default`'],
    [[trigger, condition, wait('a')], [from('start', 'is pro'), from('is pro', 'a')], '`condition_met` or'],
    [[trigger, wait('a'), wait('b')], [from('start', 'a'), from('start', 'b')], 'more than one connection'],
    [Array.from({ length: maxSteps + 1 }, () => trigger), [], 'at most 150 steps'],
    [[trigger], Array.from({ length: 301 }, () => ({})), 'at most 300 connections'],
    [['trigger'], [], 'must be an object'],
  ])('are checked: %#', (steps, connections, message) => {
    expect(() => Graph.parse(steps, connections)).toThrow(message);
  });
});

it('a chain of 150 steps is checked', () => {
  const keys = Array.from({ length: maxSteps - 1 }, (_, no) => `step ${no}`);
  const connections = keys.map((key, no) => from(no === 0 ? 'start' : `step ${no - 1}`, key));
  expect(Graph.parse([trigger, ...keys.map(wait)], connections).orderFrom('start')).toHaveLength(maxSteps);
});
