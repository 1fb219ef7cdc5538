import { DomainError } from '#kernel';

/**
 * How much automations may cause by themselves. The depth of an event bounds how long a chain is, and this how wide: 140 steps
 * that send the event with which their automation begins made 200,000 runs of one event in a minute.
 */

/** Runs that follow from one event, or in a day from changes of one contact, by events that automations have caused. */
export const maxRunsOfOrigin = 1_000;
/** Of those beyond it, the first are there as failed runs that say so. The others do not begin. */
export const maxRefusedRunsOfOrigin = 100;
/** Runs of a team that automations cause in a minute. */
export const maxCausedRunsPerMinute = 10_000;

export const spentOrigin =
  `Automations have begun ${maxRunsOfOrigin} runs that follow from one event or from changes of one contact. ` +
  'This looks like a circle, so that it ends here.';

/** Steps are postponed, as with every refusal of the kind `limited`. */
export class SpentMinuteError extends DomainError {
  constructor() {
    super(
      'limited',
      'rate_limit_exceeded',
      `The automations of the team have caused ${maxCausedRunsPerMinute} runs within a minute. ` +
        'The next event is sent later.',
    );
  }
}
