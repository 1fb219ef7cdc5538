/** What a step of a trial did, in plain words. */
import { Effect } from './decide.js';
import { saidIn } from './local-time.js';
import { RunContact } from './run-fields.js';
import { AutomationStep } from './step.js';

export function explainSplit({ action }: AutomationStep, result: boolean): string {
  if (action.type !== 'split') return '';
  return `This contact is ${result ? '' : 'not '}among the ${action.percent}% that go this way.`;
}

/** @param why the rule holds or does not */
export function explainCondition(why: string, result: boolean): string {
  return `${why}, so the condition is ${result ? 'met' : 'not met'}.`;
}

export function explainTrigger({ action }: AutomationStep): string {
  return action.type === 'trigger' ? `"${action.eventName}" begins the run.` : '';
}

/** @param refusal why the event does not pass the filter */
export function explainNoStart(refusal: string): string {
  return `The run does not begin, because ${refusal}.`;
}

export function explainWait(until: Date, zone: string): string {
  return `It goes on at ${saidIn(zone, until)}.`;
}

export function explainEvent(name: string, at: Date, zone: string): string {
  return `"${name}" happens at ${saidIn(zone, at)}, so it goes on.`;
}

/** @param refusal why an event with the name does not pass the filter */
export function explainTimeout(name: string, until: Date, zone: string, refusal: string | undefined): string {
  const why = refusal === undefined ? '' : ` One that happens does not count, because ${refusal}.`;
  return `"${name}" does not happen until ${saidIn(zone, until)}, so the time is over.${why}`;
}

export function explainGoal(name: string): string {
  return `From here on, the run ends as soon as "${name}" happens.`;
}

export function explainReached(name: string, at: Date, zone: string): string {
  return `"${name}" happens at ${saidIn(zone, at)}: the goal is reached, and the run ends.`;
}

export function explainMissed(name: string): string {
  return `"${name}" has not happened before the end of the run.`;
}

export function explainEffect(effect: Effect, subject: string | undefined, contact: RunContact | undefined): string {
  switch (effect.type) {
    case 'send_email':
      return `The email "${subject ?? ''}" is sent to ${contact?.email ?? 'the contact'}.`;
    case 'contact_update': {
      const { firstName, lastName, unsubscribed, properties = {} } = effect.patch;
      const fields = { first_name: firstName, last_name: lastName, unsubscribed, ...properties };
      const changes = Object.entries(fields)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${name} = ${said(value)}`);
      return changes.length === 0 ? 'Nothing changes.' : `The contact changes: ${changes.join(', ')}.`;
    }
    case 'contact_delete':
      return 'The contact is deleted. Later steps that need it are skipped.';
    case 'add_to_segment':
      return 'The contact is added to the segment.';
    case 'remove_from_segment':
      return 'The contact is removed from the segment.';
    case 'send_event':
      return `The event "${effect.name}" is sent. What follows from it is not tried.`;
    case 'webhook':
      return `A trial calls nobody: it goes on as if ${effect.url} had answered.`;
  }
}

const maxSaid = 80;

function said(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length <= maxSaid ? json : `${json.slice(0, maxSaid).toWellFormed()}…`;
}
