import type { Permission } from '#identity';
import type { TeamEventType } from '#kernel';

/**
 * Each type to which an endpoint may subscribe (docs/wire-contract.md section 22.3), with the permission to read the same
 * over the API. `inbox.thread.assigned` and `inbox.thread.unassigned` do not occur: threads belong to nobody.
 */
export const permissionOfEvent = {
  'email.sent': 'emails:read',
  'email.scheduled': 'emails:read',
  'email.delivered': 'emails:read',
  'email.delivery_delayed': 'emails:read',
  'email.complained': 'emails:read',
  'email.bounced': 'emails:read',
  'email.opened': 'emails:read',
  'email.clicked': 'emails:read',
  'email.received': 'emails:read',
  'email.failed': 'emails:read',
  'email.suppressed': 'emails:read',
  'contact.created': 'audience:read',
  'contact.updated': 'audience:read',
  'contact.deleted': 'audience:read',
  'contact.topics.updated': 'audience:read',
  'domain.created': 'domains:read',
  'domain.updated': 'domains:read',
  'domain.deleted': 'domains:read',
  'domain.reputation_changed': 'domains:read',
  'domain.warm_up_changed': 'domains:read',
  'suppression.added': 'suppressions:read',
  'suppression.removed': 'suppressions:read',
  'topic.created': 'audience:read',
  'topic.updated': 'audience:read',
  'topic.deleted': 'audience:read',
  'inbox.created': 'emails:read',
  'inbox.updated': 'emails:read',
  'inbox.deleted': 'emails:read',
  'inbox.thread.created': 'emails:read',
  'inbox.thread.folder.updated': 'emails:read',
  'inbox.thread.assigned': 'emails:read',
  'inbox.thread.unassigned': 'emails:read',
  'inbox.thread.labels.updated': 'emails:read',
  'inbox.email.received': 'emails:read',
  'inbox.email.sent': 'emails:read',
  'inbox.draft.created': 'emails:read',
  'inbox.draft.updated': 'emails:read',
  'inbox.draft.sent': 'emails:read',
  'inbox.draft.deleted': 'emails:read',
} as const satisfies Readonly<Record<TeamEventType, Permission> & Record<string, Permission>>;

export type WebhookEventType = keyof typeof permissionOfEvent;

export const webhookEventTypes = Object.keys(permissionOfEvent) as readonly WebhookEventType[];
