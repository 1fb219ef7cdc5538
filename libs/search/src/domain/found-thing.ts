import type { Permission } from '#identity';

/** What a search finds, in the order in which it is shown, and what one must be allowed to read to see it. */
export const permissionOfKind = {
  contact: 'audience:read',
  broadcast: 'broadcasts:read',
  template: 'templates:read',
  automation: 'automations:read',
  segment: 'audience:read',
  domain: 'domains:read',
  inbox: 'emails:read',
  inbox_thread: 'emails:read',
} as const satisfies Readonly<Record<string, Permission>>;

export type FoundKind = keyof typeof permissionOfKind;
export const foundKinds = Object.keys(permissionOfKind) as readonly FoundKind[];

export interface FoundThing {
  readonly kind: FoundKind;
  readonly id: string;
  readonly name: string;
  /** What tells it from others of this name: an address, an alias or a state. */
  readonly detail: string | null;
  /** Of a thread: its inbox. */
  readonly inboxId: string | null;
}

export const maxSearchLength = 200;
/** Of one kind. */
export const maxFound = 5;
