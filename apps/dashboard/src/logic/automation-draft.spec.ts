import { describe, expect, it } from '@jest/globals';
import {
  missingIn,
  openPlaces,
  placeAbove,
  placeBelow,
  stepNamedIn,
  textOfValue,
  valueOfText,
  withKey,
  withoutStep,
  withStepAt,
  withStepCopied,
  withStepMoved,
  withTrigger,
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
      from: 'asked',
      to: 'mail',
      type: 'condition_not_met',
    });
    expect(keysOf(withoutStep(joined, 'mail'))).toEqual(['start', 'asked', 'a day']);
  });

  it('the only trigger stays', () => {
    expect(withoutStep(mailed, 'start')).toBe(mailed);
    const { draft, key } = withTrigger(mailed, 'start');
    expect(draft.connections).toContainEqual({ from: key, to: 'asked', type: 'default' });
    expect(keysOf(withoutStep(draft, 'start'))).toEqual([key, 'asked', 'mail', 'a day']);
  });

  it('a step is moved with its other branches, and what followed it takes its place', () => {
    const moved = withStepMoved(mailed, 'asked', { from: 'mail', branch: 'default' });
    expect(moved?.connections).toEqual([
      { from: 'start', to: 'mail', type: 'default' },
      { from: 'asked', to: 'a day', type: 'condition_not_met' },
      { from: 'mail', to: 'asked', type: 'default' },
    ]);
    expect(moved && openPlaces(moved)).toContainEqual({ from: 'asked', branch: 'condition_met' });
  });

  it('a step cannot be moved to its own place, nor behind its other branches', () => {
    expect(withStepMoved(mailed, 'asked', { from: 'start', branch: 'default' })).toBeUndefined();
    expect(withStepMoved(mailed, 'asked', { from: 'a day', branch: 'default' })).toBeUndefined();
    expect(withStepMoved(mailed, 'asked', { from: 'asked', branch: 'condition_met' })).toBeUndefined();
    expect(withStepMoved(mailed, 'start', { from: 'mail', branch: 'default' })).toBeUndefined();
  });

  it('a step changes places with the one above or below it', () => {
    expect(placeAbove(mailed, 'mail')).toEqual({ from: 'start', branch: 'default' });
    expect(placeAbove(mailed, 'asked')).toBeUndefined();
    expect(placeBelow(mailed, 'asked')).toEqual({ from: 'mail', branch: 'default' });
    expect(placeBelow(mailed, 'mail')).toBeUndefined();
    const up = withStepMoved(mailed, 'mail', { from: 'start', branch: 'default' });
    expect(up && withStepMoved(up, 'mail', { from: 'asked', branch: 'condition_met' })?.connections).toEqual(
      expect.arrayContaining([...mailed.connections]),
    );
  });

  it('a copy follows its step', () => {
    const copied = withStepCopied(mailed, 'asked');
    expect(copied?.key).toBe('asked 2');
    expect(copied?.draft.connections).toContainEqual({ from: 'asked 2', to: 'mail', type: 'condition_met' });
    expect(copied && withStepCopied(copied.draft, 'asked 2')?.key).toBe('asked 3');
    expect(withStepCopied(mailed, 'start')).toBeUndefined();
  });

  it('a new name changes the connections, unless another step has it', () => {
    expect(withKey(mailed, 'asked', 'plan?').connections).toContainEqual({
      from: 'start',
      to: 'plan?',
      type: 'default',
    });
    expect(withKey(mailed, 'asked', 'mail')).toBe(mailed);
    expect(withKey(mailed, 'asked', ' ')).toBe(mailed);
  });

  it('says what a step lacks, and which step a refusal is about', () => {
    expect(mailed.steps.map(missingIn)).toEqual([undefined, 'rule', 'template', undefined]);
    expect(stepNamedIn(mailed, 'Invalid step `a day`: The `duration` may be at most 30 days.')).toBe('a day');
    const needs = (config: object): unknown => missingIn({ key: 'x', type: 'trigger', config: { ...config } });
    expect(needs({ event_name: 'resend:segment.entered' })).toBe('segment_id');
    expect(needs({ event_name: 'resend:segment.entered', segment_id: 'x' })).toBeUndefined();
    expect(stepNamedIn(mailed, 'Too many automations.')).toBeUndefined();
  });

  it('a text in double braces is a variable', () => {
    expect(valueOfText(' {{ event.plan }} ')).toEqual({ var: 'event.plan' });
    expect(valueOfText('{{nothing.known}}')).toBe('{{nothing.known}}');
    expect(textOfValue({ var: 'event.plan' })).toBe('{{event.plan}}');
    expect([textOfValue(5), textOfValue(undefined), textOfValue('x')]).toEqual(['5', '', 'x']);
  });
});
