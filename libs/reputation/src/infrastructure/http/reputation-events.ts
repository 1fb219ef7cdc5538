import { allRequired, momentOf, textOf, textOrNull } from '#http/openapi';
import type { Schema, WebhookDescription } from '#http/openapi';
import { guardedRates, guardSteps } from '../../domain/guard-limits.js';
import { domainId, emailId } from './example-ids.js';

const numberOf = (description: string): Schema => ({ type: 'number', description });
const wholeOf = (description: string): Schema => ({ type: 'integer', description });

const rate = allRequired({
  id: textOf('Name of the rate.', { enum: guardedRates }),
  count: wholeOf('What is counted.'),
  of: wholeOf('The messages that it is a share of.'),
  percent: numberOf('The share in percent.'),
  at_least_percent: numberOf('The share that it is at least, with 95% certainty.'),
  limit_percent: { type: ['number', 'null'], description: 'The limit that it reached, or null.' },
});

const reply = allRequired({
  category: textOf('What the reply is about.'),
  count: wholeOf('Number of such replies.'),
  reply: textOf('The reply, without addresses.'),
  email_id: textOrNull('Id of the email that got it.', { format: 'uuid' }),
});

const cause = {
  ...allRequired({
    type: textOf('What it is.', { enum: ['broadcast', 'segment', 'template', 'import'] }),
    id: textOf('Its id.', { format: 'uuid' }),
    name: textOf('Its name.'),
    count: wholeOf('Bad outcomes of its messages, among those that were looked at.'),
    of: wholeOf('Its messages.'),
    percent: numberOf('Their share in percent.'),
    others_percent: numberOf('The share among all other messages.'),
  }),
  type: ['object', 'null'],
  description: 'What most of the bad outcomes have in common; null if nothing stands out.',
};

const data = allRequired({
  id: textOf('Id of the domain.', { format: 'uuid' }),
  name: textOf('Its name.'),
  provider: textOf('The mailbox provider.'),
  direction: textOf('Whether it got worse or better.', { enum: ['worse', 'better'] }),
  step: textOf('The step of the reputation guard.', { enum: guardSteps }),
  previous_step: textOf('The step before.', { enum: guardSteps }),
  because: textOf('What decided.', { enum: ['evidence', 'recovery', 'time', 'lifted'] }),
  created_at: momentOf('When it changed.'),
  effect: textOf('A sentence that says what the step does.'),
  reason: textOf('A sentence that names the rate that decided; may be empty.'),
  rates: { type: 'array', items: rate, description: 'What was measured.' },
  replies: { type: 'array', items: reply, description: 'The most frequent replies of the hosts.' },
  cause,
});

const example = {
  id: domainId,
  name: 'acme.example',
  provider: 'google',
  direction: 'worse',
  step: 'bulk_slowed',
  previous_step: 'none',
  because: 'evidence',
  created_at: '2026-11-30T20:40:00.912Z',
  effect: 'Bulk mail of acme.example to Google goes at 100 messages an hour.',
  reason:
    '52 of 1000 messages (5.2%) were refused as spam or because the sender is not trusted: at least 3.98% with 95% certainty, where the limit is 3%.',
  rates: [{ id: 'spam_refusal_rate', count: 52, of: 1_000, percent: 5.2, at_least_percent: 3.985, limit_percent: 3 }],
  replies: [{ category: 'content', count: 52, reply: '550 5.7.1 Message refused as spam', email_id: emailId }],
  cause: {
    type: 'broadcast',
    id: emailId,
    name: 'November offers',
    count: 50,
    of: 600,
    percent: 8.333,
    others_percent: 0.5,
  },
};

const warmUpData = allRequired({
  id: textOf('Id of the domain.', { format: 'uuid' }),
  name: textOf('Its name.'),
  change: textOf('`slowed`: the limit of a provider was kept two days running. `ended`: by itself.', {
    enum: ['slowed', 'ended'],
  }),
  provider: textOrNull('The mailbox provider; null for the end, which is that of all.'),
  reason: textOf('A sentence that says what decided.'),
  created_at: momentOf('When it changed.'),
});

const warmUpExample = {
  id: domainId,
  name: 'acme.example',
  change: 'slowed',
  provider: 'google',
  reason:
    'The limit stays, because 31 of 480 messages of the last day (6.5%) were deferred or refused as spam, and at most 5% may be.',
  created_at: '2026-11-30T20:40:00.912Z',
};

export const reputationEvents: Readonly<Record<string, WebhookDescription>> = {
  'domain.reputation_changed': {
    summary: 'The reputation of a domain changed',
    description:
      'Rates of its mail to a mailbox provider got worse or better, and the reputation guard took the next step or the one before. ' +
      'With the evidence, and the likely cause. An addition of Postrider.',
    data,
    example,
  },
  'domain.warm_up_changed': {
    summary: 'The warm-up of a domain was slowed, or ended',
    description:
      'More than 5% of its mail to a mailbox provider was deferred or refused as spam on two days running, so that the limit stays; or the ' +
      'warm-up ended by itself. An addition of Postrider.',
    data: warmUpData,
    example: warmUpExample,
  },
};
