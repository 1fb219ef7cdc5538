import { MergeValues } from '#kernel';

/** Names of the tags for a recipient's link to unsubscribe, as merges compare names. */
export const unsubscribeTags: ReadonlySet<string> = new Set(['unsubscribe_url', 'resend_unsubscribe_url']);

/**
 * Values with which the tags stay as they are. The API shows bodies so: the link belongs to one recipient, and a person
 * who sees the email elsewhere must not unsubscribe somebody else.
 */
export const keptUnsubscribeTags: MergeValues = Object.fromEntries(
  [...unsubscribeTags].map((name) => [name, { value: `{{{${name.toUpperCase()}}}}`, markup: true }]),
);

/** Limit of a link to unsubscribe, with which the size of a rendered body is computed before the link is known. */
export const maxUnsubscribeUrlLength = 800;

export const longestUnsubscribeValues: MergeValues = unsubscribeValues('x'.repeat(maxUnsubscribeUrlLength));

export function unsubscribeValues(url: string): MergeValues {
  return Object.fromEntries([...unsubscribeTags].map((name) => [name, url]));
}
