import type { AutomationDraft, DraftConnection, DraftStep } from './automation-draft.js';
import { emailsOf, type StartingEmail } from './starting-emails.js';

/** An automation to begin with. Its `send_email` steps name its emails by `id`. */
export interface StartingAutomation extends AutomationDraft {
  readonly id: string;
  readonly name: string;
  readonly emails: readonly StartingEmail[];
  /** Events of programs that it listens to, with a schema. */
  readonly events: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Properties of contacts that it reads. */
  readonly properties: readonly string[];
  readonly settings?: Readonly<Record<string, unknown>>;
}

const trigger = (key: string, config: DraftStep['config']): DraftStep => ({ key, type: 'trigger', config });
const delay = (key: string, duration: string): DraftStep => ({ key, type: 'delay', config: { duration } });
const goal = (key: string, eventName: string): DraftStep => ({ key, type: 'goal', config: { event_name: eventName } });
const wait = (key: string, eventName: string, timeout: string): DraftStep => ({
  key,
  type: 'wait_for_event',
  config: { event_name: eventName, timeout },
});
const send = (key: string, email: string, variables?: Readonly<Record<string, string>>): DraftStep => ({
  key,
  type: 'send_email',
  config: {
    template: {
      id: email,
      ...(variables === undefined
        ? {}
        : { variables: Object.fromEntries(Object.entries(variables).map(([name, field]) => [name, { var: field }])) }),
    },
  },
});

/** Each step leads to the next, by `default` unless the step is followed by the branch that leads on. */
function chain(...keys: readonly (string | { readonly by: string })[]): readonly DraftConnection[] {
  const connections: DraftConnection[] = [];
  let from: string | undefined;
  let type = 'default';
  for (const key of keys) {
    if (typeof key !== 'string') {
      type = key.by;
      continue;
    }
    if (from !== undefined) connections.push({ from, to: key, type });
    from = key;
    type = 'default';
  }
  return connections;
}

const timeout = { by: 'timeout' };
const received = { by: 'event_received' };

/** Eight automations that work at once, each with its emails. */
export const startingAutomations: readonly StartingAutomation[] = [
  {
    id: 'welcome',
    name: 'Welcome series',
    events: {},
    properties: [],
    settings: { entry: 'once' },
    steps: [
      trigger('New contact', { event_name: 'resend:contact.created' }),
      send('Welcome', 'welcome'),
      delay('Two days', '2 days'),
      send('What to try first', 'first'),
      wait('Clicked a link?', 'resend:email.clicked', '3 days'),
      send('Offer help', 'help'),
    ],
    connections: chain(
      'New contact',
      'Welcome',
      'Two days',
      'What to try first',
      'Clicked a link?',
      timeout,
      'Offer help',
    ),
    emails: emailsOf.welcome,
  },
  {
    id: 'trial',
    name: 'Trial ending',
    events: { 'trial.ending': { ends_on: 'string' }, 'subscription.created': { plan: 'string' } },
    properties: [],
    steps: [
      trigger('Trial ends soon', { event_name: 'trial.ending' }),
      send('Trial ends soon email', 'soon', { ENDS_ON: 'event.ends_on' }),
      wait('Subscribed?', 'subscription.created', '2 days'),
      send('Thank you', 'thanks', { PLAN: 'wait_events.subscription.created.plan' }),
      send('Last day', 'last'),
    ],
    connections: [
      ...chain('Trial ends soon', 'Trial ends soon email', 'Subscribed?', received, 'Thank you'),
      ...chain('Subscribed?', timeout, 'Last day'),
    ],
    emails: emailsOf.trial,
  },
  {
    id: 'payment',
    name: 'Failed payment',
    events: { 'payment.failed': { amount: 'string', update_url: 'string' }, 'payment.succeeded': {} },
    properties: [],
    steps: [
      trigger('Payment failed', { event_name: 'payment.failed' }),
      goal('Paid', 'payment.succeeded'),
      send('Payment failed email', 'failed', { AMOUNT: 'event.amount', UPDATE_URL: 'event.update_url' }),
      delay('Three days', '3 days'),
      send('Reminder', 'reminder', { AMOUNT: 'event.amount', UPDATE_URL: 'event.update_url' }),
      delay('Four days', '4 days'),
      send('Last notice', 'last', { UPDATE_URL: 'event.update_url' }),
    ],
    connections: chain(
      'Payment failed',
      'Paid',
      'Payment failed email',
      'Three days',
      'Reminder',
      'Four days',
      'Last notice',
    ),
    emails: emailsOf.payment,
  },
  {
    id: 'win-back',
    name: 'Win-back',
    events: {},
    properties: ['last_order_on'],
    settings: { entry: 'after', entry_after: '30 days', max_emails_per_day: 1 },
    steps: [
      trigger('60 days without an order', {
        event_name: 'resend:contact.date',
        property: 'last_order_on',
        offset: '60 days',
        time: '10:00',
        every_year: false,
      }),
      send('We miss you', 'miss'),
      wait('Clicked?', 'resend:email.clicked', '7 days'),
      send('A reason to come back', 'offer'),
    ],
    connections: chain('60 days without an order', 'We miss you', 'Clicked?', timeout, 'A reason to come back'),
    emails: emailsOf['win-back'],
  },
  {
    id: 'review',
    name: 'Review request',
    events: { 'order.delivered': { product: 'string', review_url: 'string' }, 'review.created': {} },
    properties: [],
    steps: [
      trigger('Order delivered', { event_name: 'order.delivered' }),
      delay('Five days', '5 days'),
      {
        key: 'A weekday morning',
        type: 'wait_until',
        config: { time: '10:00', weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'] },
      },
      send('Ask for a review', 'ask', { PRODUCT: 'event.product', REVIEW_URL: 'event.review_url' }),
      wait('Reviewed?', 'review.created', '7 days'),
      send('Remind once', 'remind', { PRODUCT: 'event.product', REVIEW_URL: 'event.review_url' }),
    ],
    connections: chain(
      'Order delivered',
      'Five days',
      'A weekday morning',
      'Ask for a review',
      'Reviewed?',
      timeout,
      'Remind once',
    ),
    emails: emailsOf.review,
  },
  {
    id: 'opt-in',
    name: 'Double opt-in',
    events: { 'signup.requested': { confirm_url: 'string' }, 'signup.confirmed': {} },
    properties: ['confirmed'],
    steps: [
      trigger('Signed up', { event_name: 'signup.requested' }),
      send('Ask to confirm', 'confirm', { CONFIRM_URL: 'event.confirm_url' }),
      wait('Confirmed?', 'signup.confirmed', '3 days'),
      { key: 'Remember', type: 'contact_update', config: { properties: { confirmed: 'yes' } } },
      send('Confirmed email', 'confirmed'),
      { key: 'Forget', type: 'contact_delete', config: {} },
    ],
    connections: [
      ...chain('Signed up', 'Ask to confirm', 'Confirmed?', received, 'Remember', 'Confirmed email'),
      ...chain('Confirmed?', timeout, 'Forget'),
    ],
    emails: emailsOf['opt-in'],
  },
  {
    id: 'onboarding',
    name: 'Onboarding by events',
    events: { 'user.created': {}, 'project.created': { name: 'string' }, 'onboarding.completed': {} },
    properties: [],
    settings: { entry: 'once' },
    steps: [
      trigger('User created', { event_name: 'user.created' }),
      goal('Onboarded', 'onboarding.completed'),
      send('First step', 'first'),
      wait('Created a project?', 'project.created', '3 days'),
      send('Invite your team', 'invite', { PROJECT: 'wait_events.project.created.name' }),
      send('How to create a project', 'how'),
    ],
    connections: [
      ...chain('User created', 'Onboarded', 'First step', 'Created a project?', received, 'Invite your team'),
      ...chain('Created a project?', timeout, 'How to create a project'),
    ],
    emails: emailsOf.onboarding,
  },
  {
    id: 'date',
    name: 'Date reminder',
    events: {},
    properties: ['renews_at'],
    steps: [
      trigger('Three days before renewal', {
        event_name: 'resend:contact.date',
        property: 'renews_at',
        offset: '-3 days',
        time: '09:00',
        every_year: true,
      }),
      send('Renewal reminder', 'reminder', { RENEWS_AT: 'contact.renews_at' }),
    ],
    connections: chain('Three days before renewal', 'Renewal reminder'),
    emails: emailsOf.date,
  },
];

/** The steps with the templates that were made of the emails, by their `id` here. */
export function stepsWith(steps: readonly DraftStep[], templates: ReadonlyMap<string, string>): readonly DraftStep[] {
  return steps.map((step) => {
    const template = step.config.template as { readonly id: string } | undefined;
    if (template === undefined) return step;
    return {
      ...step,
      config: { ...step.config, template: { ...template, id: templates.get(template.id) ?? template.id } },
    };
  });
}
