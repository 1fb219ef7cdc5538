/** The fields of the page at which a refusal can be shown. */
export const broadcastFields = [
  'name',
  'from',
  'reply_to',
  'subject',
  'preview_text',
  'segment_id',
  'topic_id',
  'html',
  'text',
  'options',
] as const;
export type BroadcastField = (typeof broadcastFields)[number];

const optionNames = ['options', 'throttle_per_hour', 'first_share', 'local_time', 'subject_test'];

interface Texts {
  readonly subject: string;
  readonly previewText: string;
  readonly html: string;
}

/** The field that a refusal of the server is about; undefined if it is about none. Refusals name fields and tags in backticks. */
export function fieldOfRefusal(status: number, message: string, texts: Texts): BroadcastField | undefined {
  const [, first = ''] = message.split('`');
  const name = first.split('.', 1)[0] ?? '';
  const field = broadcastFields.find((known) => known === name);
  if (field !== undefined) return field;
  if (optionNames.includes(name)) return 'options';
  if (message.startsWith('The segment')) return 'segment_id';
  if (message.startsWith('The topic')) return 'topic_id';
  if (message.startsWith('The tag')) return fieldOfTag(first, texts);
  return status === 403 && message.includes('domain') ? 'from' : undefined;
}

function fieldOfTag(tag: string, { subject, previewText, html }: Texts): BroadcastField {
  const has = (text: string): boolean => text.toUpperCase().includes(tag.toUpperCase());
  if (has(subject)) return 'subject';
  if (has(previewText)) return 'preview_text';
  return html === '' || !has(html) ? 'text' : 'html';
}

const links = ['UNSUBSCRIBE_URL', 'RESEND_UNSUBSCRIBE_URL'];

/** Whether the body that people read has a link to unsubscribe. The server decides; this says it while one writes. */
export function hasUnsubscribeLink({ html, text }: { readonly html: string; readonly text: string }): boolean {
  const body = html === '' ? text : html;
  return links.some((name) => body.includes(`{{{${name}}}}`) || body.includes(`{{{${name}|`));
}

export const unsubscribeLine =
  '<p style="font-size:12px;color:#696975"><a href="{{{RESEND_UNSUBSCRIBE_URL}}}" style="color:#696975">Unsubscribe</a></p>';

/** The html with a link to unsubscribe at its end. */
export function withUnsubscribeLink(html: string): string {
  const end = html.toLowerCase().lastIndexOf('</body>');
  if (end === -1) return `${html}\n${unsubscribeLine}\n`;
  return `${html.slice(0, end)}${unsubscribeLine}\n${html.slice(end)}`;
}

interface Counts {
  readonly planned: number;
  readonly accepted: number;
  readonly skipped: number;
}

/** How many contacts still wait for their turn. */
export function leftOf({ planned, accepted, skipped }: Counts): number {
  return Math.max(0, planned - accepted - skipped);
}

/** Why contacts still wait: a word of `broadcasts:waits`; undefined if nothing waits, or the worker is simply at it. */
export function waitOf(
  status: string,
  counts: Counts,
  options: Readonly<Record<string, unknown>> | null,
): 'throttle' | 'first_share' | 'local_time' | 'subject_test' | 'audience' | undefined {
  if (status !== 'queued') return undefined;
  if (counts.planned === 0) return 'audience';
  if (leftOf(counts) === 0) return undefined;
  return (
    (['subject_test', 'first_share', 'local_time'] as const).find((name) => options?.[name] !== undefined) ??
    (options?.throttle_per_hour === undefined ? undefined : 'throttle')
  );
}

/** A share in percent, 0 if there is nothing to share. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (part / whole) * 100;
}
