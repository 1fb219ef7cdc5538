/** The types that occur, by subject, in the order of the form. */
export const eventGroups: Readonly<Record<string, readonly string[]>> = {
  emails: [
    'email.sent',
    'email.scheduled',
    'email.delivered',
    'email.delivery_delayed',
    'email.bounced',
    'email.complained',
    'email.failed',
    'email.suppressed',
    'email.opened',
    'email.clicked',
    'email.received',
  ],
  contacts: ['contact.created', 'contact.updated', 'contact.deleted', 'contact.topics.updated'],
  domains: [
    'domain.created',
    'domain.updated',
    'domain.deleted',
    'domain.reputation_changed',
    'domain.warm_up_changed',
  ],
  suppressions: ['suppression.added', 'suppression.removed'],
  topics: ['topic.created', 'topic.updated', 'topic.deleted'],
};
