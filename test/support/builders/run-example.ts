import { newId } from '#kernel';
import type { Run } from '../../../libs/automations/src/domain/run.js';

/** A run of an automation that is due at its trigger, apart from what is given. */
export function runExample(given: Partial<Run> = {}): Run {
  return {
    id: newId(),
    teamId: newId(),
    automationId: newId(),
    version: 1,
    triggerKey: 'start',
    contactId: newId(),
    status: 'running',
    payload: {},
    waitEvents: {},
    stepKey: 'start',
    isWaiting: false,
    isPostponed: false,
    hasEvent: false,
    depth: 0,
    originId: newId(),
    isAnswer: false,
    goals: [],
    reachedGoal: null,
    webhooks: {},
    call: null,
    troubles: 0,
    createdAt: new Date(),
    startedAt: null,
    completedAt: null,
    ...given,
  };
}
