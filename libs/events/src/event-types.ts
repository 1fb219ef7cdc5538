/** One line for a type of event that customers read or that consumers follow. All lists of types are derived from here. */
interface EventTraits {
  /**
   * `email`: a numbered event of an email that was sent, in its log. `team`: an event of the team's outbox.
   */
  readonly of: 'email' | 'team';
  /** The permission to read the same over the API. An endpoint subscribes to types of this kind only. */
  readonly readWith?: 'emails:read' | 'audience:read' | 'domains:read' | 'suppressions:read';
  /** Of an email: what became of it after it was accepted. Broadcasts and automations count these. */
  readonly isOutcome?: true;
  /** Of an email: shows that its recipient was reached. */
  readonly isEngagement?: true;
  /** Of an email: sending to this address ends. */
  readonly isRefusal?: true;
  /** Of an email: is counted by mailbox provider. */
  readonly byProvider?: true;
  /** Of an email: what an automation does with it: begins, or only goes on where it waited. Its name there begins with `resend:`. */
  readonly inAutomations?: 'begins' | 'goes on';
  /** The key of its own data, in the log and in the payload of a webhook (docs/wire-contract.md section 22.4). */
  readonly detail?: string;
}

/** In the order in which the API lists them (docs/wire-contract.md section 22.3). */
const types = {
  'email.sent': { of: 'email', readWith: 'emails:read', isEngagement: true },
  'email.scheduled': { of: 'email', readWith: 'emails:read' },
  'email.delivered': {
    of: 'email',
    readWith: 'emails:read',
    isOutcome: true,
    byProvider: true,
    inAutomations: 'begins',
  },
  'email.delivery_delayed': { of: 'email', readWith: 'emails:read', isOutcome: true, byProvider: true },
  'email.complained': {
    of: 'email',
    readWith: 'emails:read',
    isOutcome: true,
    isRefusal: true,
    byProvider: true,
    inAutomations: 'begins',
  },
  'email.bounced': {
    of: 'email',
    readWith: 'emails:read',
    isOutcome: true,
    isRefusal: true,
    byProvider: true,
    detail: 'bounce',
    inAutomations: 'begins',
  },
  'email.opened': {
    of: 'email',
    readWith: 'emails:read',
    isOutcome: true,
    isEngagement: true,
    byProvider: true,
    detail: 'open',
    inAutomations: 'begins',
  },
  'email.clicked': {
    of: 'email',
    readWith: 'emails:read',
    isOutcome: true,
    isEngagement: true,
    detail: 'click',
    inAutomations: 'begins',
  },
  'email.received': { of: 'team', readWith: 'emails:read' },
  'email.failed': { of: 'email', readWith: 'emails:read', isOutcome: true, detail: 'failed', inAutomations: 'goes on' },
  'email.suppressed': {
    of: 'email',
    readWith: 'emails:read',
    isOutcome: true,
    detail: 'suppressed',
    inAutomations: 'goes on',
  },
  // An addition of Postrider, shown with the email only.
  'email.canceled': { of: 'email' },
  'contact.created': { of: 'team', readWith: 'audience:read' },
  'contact.updated': { of: 'team', readWith: 'audience:read' },
  'contact.deleted': { of: 'team', readWith: 'audience:read' },
  'contact.topics.updated': { of: 'team', readWith: 'audience:read' },
  'domain.created': { of: 'team', readWith: 'domains:read' },
  'domain.updated': { of: 'team', readWith: 'domains:read' },
  'domain.deleted': { of: 'team', readWith: 'domains:read' },
  'domain.reputation_changed': { of: 'team', readWith: 'domains:read' },
  'domain.warm_up_changed': { of: 'team', readWith: 'domains:read' },
  'suppression.added': { of: 'team', readWith: 'suppressions:read' },
  'suppression.removed': { of: 'team', readWith: 'suppressions:read' },
  'topic.created': { of: 'team', readWith: 'audience:read' },
  'topic.updated': { of: 'team', readWith: 'audience:read' },
  'topic.deleted': { of: 'team', readWith: 'audience:read' },
  'inbox.created': { of: 'team', readWith: 'emails:read' },
  'inbox.updated': { of: 'team', readWith: 'emails:read' },
  'inbox.deleted': { of: 'team', readWith: 'emails:read' },
  'inbox.thread.created': { of: 'team', readWith: 'emails:read' },
  'inbox.thread.folder.updated': { of: 'team', readWith: 'emails:read' },
  'inbox.thread.assigned': { of: 'team', readWith: 'emails:read' },
  'inbox.thread.unassigned': { of: 'team', readWith: 'emails:read' },
  'inbox.thread.labels.updated': { of: 'team', readWith: 'emails:read' },
  'inbox.email.received': { of: 'team', readWith: 'emails:read' },
  'inbox.email.sent': { of: 'team', readWith: 'emails:read' },
  'inbox.draft.created': { of: 'team', readWith: 'emails:read' },
  'inbox.draft.updated': { of: 'team', readWith: 'emails:read' },
  'inbox.draft.sent': { of: 'team', readWith: 'emails:read' },
  'inbox.draft.deleted': { of: 'team', readWith: 'emails:read' },
} as const satisfies Readonly<Record<string, EventTraits>>;

type Types = typeof types;
export type EventType = keyof Types;
type TypesWith<Traits> = { [T in EventType]: Types[T] extends Traits ? T : never }[EventType];

export type EmailEventType = TypesWith<{ of: 'email' }>;
export type TeamEventType = TypesWith<{ of: 'team' }>;
/** The types to which an endpoint may subscribe. */
export type WebhookEventType = TypesWith<{ readWith: string }>;
export type OutcomeType = TypesWith<{ isOutcome: true }>;
type AutomationEventType = TypesWith<{ inAutomations: string }>;
type WordOf<T extends EmailEventType> = T extends `email.${infer Word}` ? Word : never;
/** An outcome without its `email.`, as results of broadcasts name it. */
export type EmailOutcome = WordOf<OutcomeType>;
/** The `last_event` of an email in API responses. */
export type LastEvent = 'queued' | WordOf<EmailEventType>;

export const eventTypes: Readonly<Record<EventType, EventTraits>> = types;

const typesWith = <Type extends EventType>(has: (traits: EventTraits) => boolean): readonly Type[] =>
  (Object.keys(types) as EventType[]).filter((type): type is Type => has(types[type]));

/** What an endpoint is for in most cases. Examples of the API have them, and the form of the dashboard proposes them. */
export const proposedTypes = [
  'email.delivered',
  'email.bounced',
  'email.complained',
] as const satisfies readonly WebhookEventType[];

export const webhookEventTypes = typesWith<WebhookEventType>(({ readWith }) => readWith !== undefined);
export const outcomeTypes = typesWith<OutcomeType>(({ isOutcome }) => isOutcome === true);
export const automationTypes = typesWith<AutomationEventType>(({ inAutomations }) => inAutomations !== undefined);
export const automationBeginnings = typesWith<TypesWith<{ inAutomations: 'begins' }>>(
  ({ inAutomations }) => inAutomations === 'begins',
);
export const engagementTypes = typesWith<EmailEventType>(({ isEngagement }) => isEngagement === true);
export const providerTypes = typesWith<EmailEventType>(({ byProvider }) => byProvider === true);
export const refusalTypes = typesWith<EmailEventType>(({ isRefusal }) => isRefusal === true);

/** `delivered` of `email.delivered`; undefined if the type is no outcome. */
export function outcomeOf(type: string): EmailOutcome | undefined {
  if (!(outcomeTypes as readonly string[]).includes(type)) return undefined;
  return type.slice('email.'.length) as EmailOutcome;
}
