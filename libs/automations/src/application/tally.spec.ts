import { expect, it } from '@jest/globals';
import { AdvancedRun } from './ports/run-queue.port.js';
import { Tally } from './tally.js';

const automationId = 'a';
const run = (more: object = {}) => ({
  automationId,
  stepKey: null,
  goals: [],
  isWaiting: false,
  isPostponed: false,
  ...more,
});
const step = (key: string, status: string, more: object = {}) => ({ key, status, ...more });
const of = (...advanced: object[]): Tally => Tally.of(advanced as AdvancedRun[]);
const numbers = (tally: Tally): object =>
  Object.fromEntries(
    tally.steps.map(({ automationId: _, stepKey, passed, ...counts }) => [
      stepKey,
      { ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)), ...passed },
    ]),
  );

it('counts who entered a step, who waits in it, and how they left it', () => {
  const begun = {
    run: run({ stepKey: 'start' }),
    steps: [step('start', 'completed'), step('goal', 'waiting'), step('later', 'waiting')],
    passed: [
      { from: 'start', type: 'default' },
      { from: 'goal', type: 'default' },
    ],
    next: { status: 'running' },
  };
  expect(numbers(of(begun, begun))).toEqual({
    start: { entered: 2, completed: 2, default: 2 },
    goal: { entered: 2, waiting: 2, default: 2 },
    later: { entered: 2, waiting: 2 },
  });
  const ended = {
    run: run({ stepKey: 'later', isWaiting: true, goals: ['goal'] }),
    steps: [step('later', 'completed'), step('mail', 'completed', { emailId: 'e' }), step('goal', 'completed')],
    passed: [{ from: 'later', type: 'default' }],
    next: { status: 'completed' },
  };
  const tally = of(ended);
  expect(numbers(tally)).toEqual({
    goal: { waiting: -1, completed: 1 },
    later: { waiting: -1, completed: 1, default: 1 },
    mail: { entered: 1, completed: 1, sent: 1 },
  });
  expect(tally.runs).toMatchObject([{ completed: 1, goals: 0 }]);
});

it('counts a step that is postponed again and again once', () => {
  const again = { run: run({ stepKey: 'mail', isPostponed: true }), passed: [], next: { status: 'running' } };
  expect(numbers(of({ ...again, steps: [step('mail', 'waiting')] }))).toEqual({ mail: {} });
  expect(numbers(of({ ...again, steps: [step('mail', 'failed')], next: { status: 'failed' } }))).toEqual({
    mail: { waiting: -1, failed: 1 },
  });
});

it('counts how runs end', () => {
  const one = { run: run(), steps: [], passed: [] };
  expect(
    of(
      { ...one, next: { status: 'failed' } },
      { ...one, next: { status: 'cancelled' } },
      { ...one, next: { status: 'completed', isGoal: true } },
    ).runs,
  ).toEqual([{ automationId, started: 0, completed: 1, failed: 1, cancelled: 1, notEntered: 0, goals: 1 }]);
});
