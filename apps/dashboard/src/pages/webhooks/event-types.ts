import type { Schema } from '../../api/client';

/** Threads of inboxes are assigned to nobody. */
type EventType = Exclude<
  Schema<'CreateWebhookRequest'>['events'][number],
  'inbox.thread.assigned' | 'inbox.thread.unassigned'
>;
type Group = 'emails' | 'inboxes' | 'contacts' | 'domains' | 'suppressions' | 'topics';

/** The types that occur, in the order of the form. A type that the API has and this list lacks does not compile. */
const groupOf = {
  'email.sent': 'emails',
  'email.scheduled': 'emails',
  'email.delivered': 'emails',
  'email.delivery_delayed': 'emails',
  'email.bounced': 'emails',
  'email.complained': 'emails',
  'email.failed': 'emails',
  'email.suppressed': 'emails',
  'email.opened': 'emails',
  'email.clicked': 'emails',
  'email.received': 'emails',
  'inbox.created': 'inboxes',
  'inbox.updated': 'inboxes',
  'inbox.deleted': 'inboxes',
  'inbox.thread.created': 'inboxes',
  'inbox.thread.folder.updated': 'inboxes',
  'inbox.thread.labels.updated': 'inboxes',
  'inbox.email.received': 'inboxes',
  'inbox.email.sent': 'inboxes',
  'inbox.draft.created': 'inboxes',
  'inbox.draft.updated': 'inboxes',
  'inbox.draft.sent': 'inboxes',
  'inbox.draft.deleted': 'inboxes',
  'contact.created': 'contacts',
  'contact.updated': 'contacts',
  'contact.deleted': 'contacts',
  'contact.topics.updated': 'contacts',
  'domain.created': 'domains',
  'domain.updated': 'domains',
  'domain.deleted': 'domains',
  'domain.reputation_changed': 'domains',
  'domain.warm_up_changed': 'domains',
  'suppression.added': 'suppressions',
  'suppression.removed': 'suppressions',
  'topic.created': 'topics',
  'topic.updated': 'topics',
  'topic.deleted': 'topics',
} satisfies Record<EventType, Group>;

/** The types by subject. */
export const eventGroups: Readonly<Record<string, readonly string[]>> = Object.entries(groupOf).reduce<
  Record<string, string[]>
>((groups, [type, group]) => {
  (groups[group] ??= []).push(type);
  return groups;
}, {});
