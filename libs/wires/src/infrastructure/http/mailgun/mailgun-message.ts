import type { RequestedAttachment, SendRequest, SharedRecipient, SharedSendRequest, TrackingChoice } from '#emails';
import { maxRecipients } from '#emails';
import { parseMailbox, ValidationError } from '#kernel';
import { NoCounterpartError } from '../wire-emails.js';
import {
  attachmentOf,
  jsonObjectOf,
  metadataOf,
  splitAddresses,
  StoredTags,
  tagsOf,
  tagText,
  tagValues,
} from '../wire-fields.js';
import type { MailForm } from './mailgun-form.js';
import { RecipientVariables } from './recipient-variables.js';

/** Name of the tags that Mailgun has no names for. */
const tagOfMessage = 'tag';
const own = [tagOfMessage];
const maxTags = 10;
const maxBatch = 1_000;

const options = ['o:tag', 'o:testmode', 'o:deliverytime', 'o:tracking', 'o:tracking-clicks', 'o:tracking-opens'];
/** Whose one value is what this program does anyway. */
const fixedOptions: Readonly<Record<string, boolean>> = {
  'o:dkim': true,
  'o:require-tls': false,
  'o:skip-verification': false,
};
const foreignVariable = /%(?:(?:tag_)?unsubscribe_(?:url|email)|recipient_[fl]?name|mailing_list_\w{1,50})%/;
const templateFields = ['t:variables'];

/** One email, or one for each recipient. */
export type MailgunMessage =
  | { readonly kind: 'one'; readonly request: SendRequest }
  | { readonly kind: 'personal'; readonly request: SharedSendRequest };

/** @param messageId of all emails that have recipient variables: Mailgun has one for all of them */
export function mailgunMessage(form: MailForm, messageId: string): MailgunMessage {
  refuseOthers(form);
  const to = addressesOf(form, 'to', maxBatch);
  if (to.length === 0) throw new ValidationError('to parameter is not a valid address. please check documentation');
  const variables = RecipientVariables.of(form.one('recipient-variables'));
  const text = personalPart(form);
  if (variables === undefined) {
    if (text !== undefined)
      throw new ValidationError(`\`${text}\` has \`%recipient\` without \`recipient-variables\`.`);
    return { kind: 'one', request: single(form, to) };
  }
  return { kind: 'personal', request: personal(form, to, variables, messageId) };
}

/** The choices that a finished MIME message has beside its header. */
export function mailgunChoices(form: MailForm): Pick<SendRequest, 'tags' | 'scheduledAt' | 'tracking'> {
  const deliveryTime = form.one('o:deliverytime');
  const tags = form.all('o:tag').filter((tag) => tag !== '');
  if (tags.length > maxTags) throw new ValidationError(`A message may have at most ${maxTags} tags.`);
  const variables = form.names.filter((name) => name.startsWith('v:'));
  const metadata = Object.fromEntries(variables.map((name) => [name.slice(2), form.one(name) ?? '']));
  return {
    tags: [
      ...tags.map((tag) => ({ name: tagOfMessage, value: tagText('o:tag', tag) })),
      ...tagsOf('v:', metadata, own),
    ],
    ...(deliveryTime === undefined ? {} : { scheduledAt: deliveryTimeOf(deliveryTime) }),
    tracking: trackingOf(form),
  };
}

export function refuseOthers(form: MailForm): void {
  for (const name of form.names) {
    if (form.one(name) === undefined) continue;
    if (name.startsWith('o:') && !options.includes(name)) {
      const fixed = fixedOptions[name];
      if (fixed === undefined || form.choice(name) !== fixed) throw new NoCounterpartError(`\`${name}\``);
    }
    if (name.startsWith('t:') && !templateFields.includes(name)) throw new NoCounterpartError(`\`${name}\``);
  }
  if (form.one('amp-html') !== undefined) throw new NoCounterpartError('`amp-html`');
  for (const name of ['subject', 'html', 'text']) {
    const foreign = foreignVariable.exec(form.one(name) ?? '');
    if (foreign !== null)
      throw new NoCounterpartError(`\`${foreign[0]}\` in \`${name}\``, 'see docs/unsubscribing.md.');
  }
}

export function addressesOf(form: MailForm, name: string, max: number): string[] {
  const addresses = form.all(name).flatMap(splitAddresses);
  if (addresses.length > max) throw new ValidationError(`\`${name}\` may have at most ${max} addresses.`);
  return addresses;
}

function single(form: MailForm, to: readonly string[]): SendRequest {
  if (to.length > maxRecipients) {
    throw new ValidationError(`More than ${maxRecipients} recipients of one email need \`recipient-variables\`.`);
  }
  const template = form.one('template');
  const { html, text, ...shared } = sharedFields(form);
  const content =
    template === undefined
      ? { subject: form.one('subject') ?? '', html, text }
      : { subject: form.one('subject'), html, text, template: { id: template, variables: templateVariables(form) } };
  return {
    ...shared,
    ...content,
    to,
    cc: addressesOf(form, 'cc', maxRecipients),
    bcc: addressesOf(form, 'bcc', maxRecipients),
    headers: headersOf(form),
    attachments: attachmentsOf(form),
  };
}

function personal(
  form: MailForm,
  to: readonly string[],
  variables: RecipientVariables,
  messageId: string,
): SharedSendRequest {
  for (const name of ['cc', 'bcc', 'template']) {
    if (form.one(name) !== undefined) throw new NoCounterpartError(`\`${name}\` together with \`recipient-variables\``);
  }
  const { html, text, from, ...shared } = sharedFields(form);
  if (from === undefined) throw new ValidationError('from parameter is missing');
  const given = headersOf(form) ?? {};
  const hasId = Object.keys(given).some((name) => name.toLowerCase() === 'message-id');
  const headers = hasId ? given : { ...given, 'Message-ID': messageId };
  // All texts before the values, which have those variables alone that a text uses.
  const subject = variables.tagged(form.one('subject') ?? '');
  const content = {
    ...(html === undefined ? {} : { html: variables.tagged(html) }),
    ...(text === undefined ? {} : { text: variables.tagged(text) }),
    attachments: attachmentsOf(form).flatMap((file) => ('content' in file ? file : [])),
  };
  const recipients = to.map((mailbox): SharedRecipient => {
    const address = parseMailbox(mailbox)?.address ?? '';
    return { to: mailbox, values: variables.valuesOf(address), headers: variables.inHeaders(address, headers) };
  });
  return {
    ...shared,
    from,
    subject,
    content,
    // What is for many waits behind single mail.
    isBulk: to.length > maxRecipients,
    recipients,
  };
}

function sharedFields(form: MailForm): Pick<SendRequest, 'replyTo' | 'tags' | 'tracking' | 'scheduledAt' | 'from'> & {
  readonly html: string | undefined;
  readonly text: string | undefined;
} {
  const replyTo = headerFields(form).find(([name]) => name.toLowerCase() === 'reply-to')?.[1];
  return {
    ...mailgunChoices(form),
    from: form.one('from'),
    replyTo: replyTo === undefined ? undefined : splitAddresses(replyTo),
    html: form.one('html'),
    text: form.one('text'),
  };
}

function headerFields(form: MailForm): (readonly [string, string])[] {
  return form.names
    .filter((name) => name.startsWith('h:'))
    .flatMap((name) => form.all(name).map((value) => [name.slice(2), value] as const));
}

/** A sender of the same address says nothing new. Links that Mailgun itself would answer are left out. */
function headersOf(form: MailForm): Record<string, string> | undefined {
  const from = parseMailbox(form.one('from') ?? '')?.address;
  const kept = headerFields(form).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    if (lower === 'reply-to') return [];
    if (lower === 'sender' && from !== undefined && parseMailbox(value)?.address === from) return [];
    if (lower !== 'list-unsubscribe') return [[name, value] as const];
    const links = splitAddresses(value).filter((link) => !/^<%(?:tag_)?unsubscribe_(?:url|email)%>$/.test(link));
    return links.length === 0 ? [] : [[name, links.join(', ')] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function attachmentsOf(form: MailForm): RequestedAttachment[] {
  return form.files.map(({ name, filename, contentType, content }) => {
    if (name === 'message') throw new ValidationError('`message` belongs to `messages.mime`.');
    const described = attachmentOf({
      filename,
      content: '',
      content_type: contentType,
      content_id: name === 'inline' ? filename : undefined,
    });
    return { ...described, content };
  });
}

/** `Fri, 25 Oct 2026 23:10:10 -0000`. */
function deliveryTimeOf(text: string): Date {
  const moment = new Date(text.length > 64 ? NaN : text);
  if (Number.isNaN(moment.getTime())) throw new ValidationError('`o:deliverytime` must be a date of RFC 2822.');
  return moment;
}

function trackingOf(form: MailForm): TrackingChoice {
  const clicksOf = (name: string): boolean | undefined =>
    form.one(name)?.toLowerCase() === 'htmlonly' ? true : form.choice(name);
  const all = clicksOf('o:tracking');
  const [opens, clicks] = [form.choice('o:tracking-opens') ?? all, clicksOf('o:tracking-clicks') ?? all];
  return { ...(opens === undefined ? {} : { opens }), ...(clicks === undefined ? {} : { clicks }) };
}

function templateVariables(form: MailForm): Readonly<Record<string, unknown>> {
  const text = form.one('t:variables');
  if (text === undefined) return {};
  return jsonObjectOf('t:variables', text);
}

/** The first part of the content that has variables of recipients. */
function personalPart(form: MailForm): string | undefined {
  return ['subject', 'html', 'text'].find((name) => /%recipient(?:[.%]|_email%)/.test(form.one(name) ?? ''));
}

/** What an event tells of the tags and variables of its message. */
export function keptByMailgun(tags: StoredTags): { tags: string[]; 'user-variables': Record<string, string> } {
  return { tags: tagValues(tags, tagOfMessage), 'user-variables': metadataOf(tags, own) };
}

export const mailgunTag = (value: string): { name: string; value: string } => ({
  name: tagOfMessage,
  value: tagText('tags', value),
});
