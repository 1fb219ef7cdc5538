import type { RequestedAttachment, SendRequest } from '#emails';
import { maxRecipients } from '#emails';
import { EncodedBytes, parseMailbox, ValidationError } from '#kernel';
import { NoCounterpartError } from '../wire-emails.js';
import { attachmentOf, jsonObjectOf, tagsOf, tagText, WireFields } from '../wire-fields.js';
import { SesError } from './ses-query.js';

const maxAttachments = 100;
const maxHeaders = 100;
const maxTags = 50;
const setOfMessage = 'configuration-set';

export type SesMessage =
  | { readonly kind: 'composed'; readonly request: SendRequest }
  | {
      readonly kind: 'finished';
      readonly mime: Uint8Array;
      /** Undefined: those of its header. */
      readonly recipients: readonly string[] | undefined;
      readonly tags: SendRequest['tags'];
    };

/** The body of `SendEmail` of SES version 2: simple, raw, or with a stored template. */
export function sesMessage(body: unknown): SesMessage {
  const message = WireFields.of(body);
  refuseOthersOfSes(message);
  message.refuse(['ListManagementOptions'], 'see docs/unsubscribing.md.');
  const raw = message.object('Content')?.object('Raw');
  if (raw === undefined) return { kind: 'composed', request: sesComposed(message) };
  const named = destinationOf(message).flat().map(addressOf);
  const recipients = named.length === 0 ? undefined : named;
  return { kind: 'finished', mime: bytesOf(raw), recipients, tags: tagsOfMessage(message) };
}

/** A message that is not raw. */
export function sesComposed(message: WireFields): SendRequest {
  const content = message.object('Content');
  const [to, cc, bcc] = destinationOf(message);
  const replyTo = message.texts('ReplyToAddresses', maxRecipients);
  const shared = { from: message.text('FromEmailAddress'), to, cc, bcc, tags: tagsOfMessage(message) };
  const addressed = replyTo.length === 0 ? shared : { ...shared, replyTo };
  const simple = content?.object('Simple');
  if (simple !== undefined) return { ...addressed, ...simpleContent(simple) };
  const template = content?.object('Template');
  if (template === undefined) throw new ValidationError('`Content` must have `Simple`, `Raw` or `Template`.');
  return { ...addressed, ...templateContent(template) };
}

/** Refuses what no request that sends has a counterpart of. */
export function refuseOthersOfSes(message: WireFields): void {
  message.refuse(['EndpointId', 'FromEmailAddressIdentityArn', 'TenantName']);
  message.refuse(['FeedbackForwardingEmailAddress', 'FeedbackForwardingEmailAddressIdentityArn']);
}

/** To, Cc and Bcc. */
function destinationOf(message: WireFields): (readonly string[])[] {
  const destination = message.object('Destination');
  return ['ToAddresses', 'CcAddresses', 'BccAddresses'].map((name) => destination?.texts(name, maxRecipients) ?? []);
}

function simpleContent(simple: WireFields): Partial<SendRequest> {
  const textIn = (fields: WireFields | undefined, name: string): string | undefined => {
    const part = fields?.object(name);
    const charset = part?.text('Charset');
    // The request is UTF-8; a message is written in UTF-8 as well.
    if (charset !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(charset)) throw new NoCounterpartError('`Charset`');
    return part?.text('Data', { keepEmpty: name === 'Subject' });
  };
  const parts = simple.object('Body');
  return {
    subject: textIn(simple, 'Subject') ?? '',
    html: textIn(parts, 'Html'),
    text: textIn(parts, 'Text'),
    ...contentFields(simple),
  };
}

function templateContent(template: WireFields): Partial<SendRequest> {
  template.refuse(['TemplateArn', 'TemplateContent'], 'templates are stored here.');
  const name = template.text('TemplateName');
  if (name === undefined) throw new ValidationError('`Content.Template.TemplateName` is required.');
  const data = template.text('TemplateData') ?? '{}';
  return {
    ...contentFields(template),
    template: { id: name, variables: jsonObjectOf('Content.Template.TemplateData', data) },
  };
}

function contentFields(content: WireFields): Pick<SendRequest, 'headers' | 'attachments'> {
  const headers = content
    .objects('Headers', maxHeaders)
    .map((header) => [header.text('Name') ?? '', header.text('Value') ?? '']);
  return {
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) as Record<string, string> }),
    attachments: content.objects('Attachments', maxAttachments).map(sesAttachment),
  };
}

function sesAttachment(file: WireFields): RequestedAttachment {
  const isInline = file.text('ContentDisposition') === 'INLINE';
  return attachmentOf({
    filename: file.text('FileName'),
    content: file.any('RawContent'),
    content_type: file.text('ContentType'),
    content_id: isInline ? file.text('ContentId') : undefined,
  });
}

function tagsOfMessage(message: WireFields): SendRequest['tags'] {
  const entries = message
    .objects('EmailTags', maxTags)
    .map((tag) => [tag.text('Name') ?? '', tag.text('Value') ?? ''] as const);
  return tagsOfSes(Object.fromEntries(entries), message.text('ConfigurationSetName'));
}

/** A configuration set is kept as a label: our webhooks and settings do what it does there. */
export function tagsOfSes(tags: Readonly<Record<string, string>>, set: string | undefined): SendRequest['tags'] {
  return [
    ...(set === undefined ? [] : [{ name: setOfMessage, value: tagText('ConfigurationSetName', set) }]),
    ...tagsOf('EmailTags', tags, [setOfMessage]),
  ];
}

function addressOf(text: string): string {
  const address = parseMailbox(text)?.address;
  // Nodemailer tries whether it may send with an address that is none, and expects this error.
  if (address === undefined) throw new SesError('MessageRejected', '`Destination` must have valid addresses.');
  return address;
}

function bytesOf(raw: WireFields): Uint8Array {
  const data = raw.any('Data');
  if (data instanceof EncodedBytes && data.bytes !== undefined) return data.bytes;
  const text = raw.text('Data') ?? '';
  if (text === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    throw new ValidationError('`Content.Raw.Data` must be a message in base64.');
  }
  return Buffer.from(text, 'base64');
}
