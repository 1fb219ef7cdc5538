/** A value of which more is known than its text. */
export interface MarkedValue {
  readonly value: string;
  /** The sender wrote it as HTML: in html it is inserted as it is. */
  readonly markup?: true;
  /** Nobody gave a value. A fallback in the tag takes precedence. */
  readonly fallback?: true;
}

/** A plain string is text that a person may have typed: in html it is escaped. */
export type MergeValue = string | MarkedValue;

/** Values of one reader, by name. Names are compared in lower case and without `contact.`. */
export type MergeValues = Readonly<Record<string, MergeValue>>;

/** A value in its full form. */
export function marked(value: MergeValue): MarkedValue {
  return typeof value === 'string' ? { value } : value;
}

/** Whether a fallback in the tag takes precedence. */
export function givesWay({ value, fallback }: MarkedValue): boolean {
  return value === '' || fallback === true;
}

/** Normalizes the names of values, so that templates find them. */
export function mergeValues(given: MergeValues): MergeValues {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [mergeName(name), value]));
}

/** The form in which names are compared. */
export function mergeName(name: string): string {
  const lower = name.toLowerCase();
  return lower.startsWith('contact.') ? lower.slice('contact.'.length) : lower;
}
