import type { ContactProperty, MergeContact } from '#audience';
import { MergeTemplate, MergeValue, MergeValues } from '#kernel';
import { BroadcastContent } from './broadcast.js';

type Texts = Pick<BroadcastContent, 'subject' | 'previewText' | 'html' | 'text'>;

/** Names of the tags in a broadcast, as merges compare names. */
export function usedNames({ subject, previewText, html, text }: Texts): ReadonlySet<string> {
  const names = new Set<string>();
  for (const part of [subject, previewText, html, text]) {
    if (part === null) continue;
    for (const { name } of new MergeTemplate(part, 'text').tags) names.add(name);
  }
  return names;
}

/**
 * The values of one contact for the tags that a broadcast uses. Every field and every property has a value: an empty one gives way
 * to the fallback of the tag, and so does the stored fallback of a property.
 *
 * @param names as `usedNames` returns them
 */
export function personalValues(contact: MergeContact, names: ReadonlySet<string>): MergeValues {
  const values: Record<string, MergeValue> = {};
  const put = (name: string, value: MergeValue): void => {
    if (names.has(name)) values[name] = value;
  };
  for (const [key, value] of Object.entries(contact.properties)) {
    const text = value === null ? '' : String(value);
    put(key.toLowerCase(), contact.lacking.has(key) ? { value: text, fallback: true } : text);
  }
  put('email', contact.email);
  put('first_name', contact.firstName ?? '');
  put('last_name', contact.lastName ?? '');
  return values;
}

/** A contact of which nothing is known but its address, so that every fallback shows. */
export function unknownContact(email: string, properties: readonly ContactProperty[]): MergeContact {
  return {
    ...{ id: '', email, firstName: null, lastName: null, unsubscribed: false },
    properties: Object.fromEntries(properties.map(({ key, fallbackValue }) => [key, fallbackValue])),
    lacking: new Set(properties.map(({ key }) => key)),
  };
}
