import { describe, expect, it } from '@jest/globals';
import {
  missingIn,
  openPlaces,
  stepNamedIn,
  textOfValue,
  valueOfText,
  withKey,
  withoutStep,
  withStepAt,
  type AutomationDraft,
} from './automation-draft.js';

const begun: AutomationDraft = {
  steps: [{ key: 'start', type: 'trigger', config: { event_name: 'signed.up' } }],
  connections: [],
};
const { draft: asked } = withStepAt(begun, { from: 'start', branch: 'default' }, 'condition', 'asked');
const { draft: delayed } = withStepAt(asked, { from: 'asked', branch: 'condition_not_met' }, 'delay', 'a day');
const { draft: mailed } = withStepAt(delayed, { from: 'asked', branch: 'condition_met' }, 'send_email', 'mail');

const keysOf = ({ steps }: AutomationDraft): readonly string[] => steps.map(({ key }) => key);

describe('drawing an automation', () => {
  it('a step between two others is followed on its main branch by what followed before', () => {
    const { draft, key } = withStepAt(mailed, { from: 'start', branch: 'default' }, 'wait_for_event', 'mail');
    expect(key).toBe('mail 2');
    expect(draft.connections).toContainEqual({ from: 'start', to: 'mail 2', type: 'default' });
    expect(draft.connections).toContainEqual({ from: 'mail 2', to: 'asked', type: 'event_received' });
    expect(draft.connections).toHaveLength(4);
    expect(openPlaces(draft)).toContainEqual({ from: 'mail 2', branch: 'timeout' });
  });

  it('what follows on the main branch takes the place of a step that is removed, and its other branch goes', () => {
    const without = withoutStep(mailed, 'asked');
    expect(keysOf(without)).toEqual(['start', 'mail']);
    expect(without.connections).toEqual([{ from: 'start', to: 'mail', type: 'default' }]);
  });

  it('a step to which two branches lead stays with the one that is left', () => {
    const joined: AutomationDraft = {
      ...mailed,
      connections: [...mailed.connections, { from: 'a day', to: 'mail', type: 'default' }],
    };
    expect(withoutStep(joined, 'a day').connections).toContainEqual({
      ...{ from: 'asked', to: 'mail', type: 'condition_not_met' },
    });
    expect(keysOf(withoutStep(joined, 'mail'))).toEqual(['start', 'asked', 'a day']);
  });

  it('a trigger stays', () => {
    expect(withoutStep(mailed, 'start')).toBe(mailed);
  });

  it('a new name changes the connections, unless another step has it', () => {
    expect(withKey(mailed, 'asked', 'plan?').connections).toContainEqual({
      ...{ from: 'start', to: 'plan?', type: 'default' },
    });
    expect(withKey(mailed, 'asked', 'mail')).toBe(mailed);
    expect(withKey(mailed, 'asked', ' ')).toBe(mailed);
  });

  it('says what a step lacks, and which step a refusal is about', () => {
    expect(mailed.steps.map(missingIn)).toEqual([undefined, 'rule', 'template', undefined]);
    expect(stepNamedIn(mailed, 'Invalid step `a day`: The `duration` may be at most 30 days.')).toBe('a day');
    expect(stepNamedIn(mailed, 'Too many automations.')).toBeUndefined();
  });

  it('a text in double braces is a variable', () => {
    expect(valueOfText(' {{ event.plan }} ')).toEqual({ var: 'event.plan' });
    expect(valueOfText('{{nothing.known}}')).toBe('{{nothing.known}}');
    expect(textOfValue({ var: 'event.plan' })).toBe('{{event.plan}}');
    expect([textOfValue(5), textOfValue(undefined), textOfValue('x')]).toEqual(['5', '', 'x']);
  });
});
