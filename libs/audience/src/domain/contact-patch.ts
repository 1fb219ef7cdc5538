import { Contact, PropertyValue } from './contact.js';
import { FieldChanges } from './contact-change.js';

/** What a request sets. An absent field stays as it is, null clears it. */
export interface ContactPatch {
  readonly email?: string;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly unsubscribed?: boolean;
  readonly properties?: Readonly<Record<string, PropertyValue | null>>;
}

export interface PatchedContact {
  readonly contact: Contact;
  /** Empty if the contact already was as the patch wants it. */
  readonly changes: FieldChanges;
}

export function contactOf(
  identity: { readonly id: string; readonly teamId: string; readonly email: string },
  patch: ContactPatch,
  now: Date,
): Contact {
  const unsubscribed = patch.unsubscribed ?? false;
  const { id, teamId, email } = identity;
  return {
    id,
    teamId,
    email,
    firstName: patch.firstName ?? null,
    lastName: patch.lastName ?? null,
    unsubscribed,
    unsubscribedAt: unsubscribed ? now : null,
    properties: merged({}, patch.properties),
    bouncedAt: null,
    complainedAt: null,
    createdAt: now,
    updatedAt: now,
  };
}

export function patched(contact: Contact, patch: ContactPatch, now: Date): PatchedContact {
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  const next = <Value>(name: string, from: Value, to: Value | undefined): Value => {
    if (to === undefined || to === from) return from;
    changes[name] = { from, to };
    return to;
  };
  const email = next('email', contact.email, patch.email);
  const firstName = next('first_name', contact.firstName, patch.firstName);
  const lastName = next('last_name', contact.lastName, patch.lastName);
  const unsubscribed = next('unsubscribed', contact.unsubscribed, patch.unsubscribed);
  for (const [key, value] of Object.entries(patch.properties ?? {})) {
    next(`properties.${key}`, own(contact.properties, key) ?? null, value);
  }
  if (Object.keys(changes).length === 0) return { contact, changes };
  const properties = merged(contact.properties, patch.properties);
  const unsubscribedAt = unsubscribedSince(contact, unsubscribed, now);
  return {
    contact: { ...contact, email, firstName, lastName, unsubscribed, unsubscribedAt, properties, updatedAt: now },
    changes,
  };
}

function unsubscribedSince(contact: Contact, unsubscribed: boolean, now: Date): Date | null {
  if (unsubscribed === contact.unsubscribed) return contact.unsubscribedAt;
  return unsubscribed ? now : null;
}

/** The values without those that are cleared. */
export function merged(
  values: Readonly<Record<string, PropertyValue>>,
  patch?: Readonly<Record<string, PropertyValue | null>>,
): Readonly<Record<string, PropertyValue>> {
  // Nearly no request has properties.
  if (patch === undefined) return values;
  const all = new Map<string, PropertyValue | null>([...Object.entries(values), ...Object.entries(patch)]);
  return Object.fromEntries([...all].filter((entry): entry is [string, PropertyValue] => entry[1] !== null));
}

/** Not `values[key]`: a property may be named `constructor`. */
export function own<Value>(values: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
