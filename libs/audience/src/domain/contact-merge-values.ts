import { MergeValue, MergeValues } from '#kernel';
import { PropertyValue } from './contact.js';

/** What a merge may use of a contact. */
export interface MergeFields {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** By key: the value of the contact, else the fallback of the property; null if there is neither. */
  readonly properties: Readonly<Record<string, PropertyValue | null>>;
  /** Keys of properties of which the contact has no value of its own. */
  readonly lacking: ReadonlySet<string>;
}

/**
 * The values of a contact for tags with these names, which are in the form of `mergeName`. An empty field gives way to
 * the fallback of the tag, and so does the stored fallback of a property. A field of every contact takes precedence
 * over a property with its name.
 */
export function contactMergeValues(fields: MergeFields, names: ReadonlySet<string>): MergeValues {
  const values = new Map<string, MergeValue>();
  const put = (name: string, value: MergeValue): void => {
    if (names.has(name)) values.set(name, value);
  };
  for (const [key, value] of Object.entries(fields.properties)) {
    const text = value === null ? '' : String(value);
    put(key.toLowerCase(), fields.lacking.has(key) ? { value: text, fallback: true } : text);
  }
  put('email', fields.email);
  put('first_name', fields.firstName ?? '');
  put('last_name', fields.lastName ?? '');
  return Object.fromEntries(values);
}
