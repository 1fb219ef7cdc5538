import type { RequestedAttachment, SendRequest, SharedSendRequest, TrackingChoice } from '#emails';
import { maxRecipients } from '#emails';
import { formatMailbox, parseEmailAddress, ValidationError } from '#kernel';
import { NoCounterpartError } from '../wire-emails.js';
import { attachmentOf, WireFields, tagsOf, tagText } from '../wire-fields.js';
import { applied, Substitutions } from './substitutions.js';

const categoryOfMessage = 'category';
const maxPersonalizations = 1_000;
const maxCategories = 10;
const maxAttachments = 100;
const maxArguments = 40;
const maxHeaders = 100;

export interface SendgridMessage {
  readonly emails:
    | { readonly kind: 'several'; readonly requests: readonly SendRequest[] }
    | { readonly kind: 'personal'; readonly request: SharedSendRequest };
  /** Everything is checked, and nothing is sent. */
  readonly isSandboxed: boolean;
}

interface Shared {
  readonly subject: string | undefined;
  readonly html: string | undefined;
  readonly text: string | undefined;
  readonly templateId: string | undefined;
  readonly replyTo: readonly string[] | undefined;
  readonly attachments: readonly RequestedAttachment[];
  readonly tracking: TrackingChoice;
}

export function sendgridMessage(body: unknown): SendgridMessage {
  const mail = WireFields.of(body);
  mail.refuse(['batch_id', 'asm', 'ip_pool_name', 'sections']);
  const personalizations = mail.objects('personalizations', maxPersonalizations);
  if (personalizations.length === 0) throw new ValidationError('`personalizations` must have at least one item.');
  const shared = sharedOf(mail);
  const isSandboxed = sandboxed(mail);
  const substitutions = personalizations.map((one) => one.textMap('substitutions', maxPersonalizations));
  const hasSubstitutions = substitutions.some((values) => Object.keys(values).length > 0);
  if (hasSubstitutions && shared.templateId !== undefined) {
    throw new NoCounterpartError('`substitutions` of a template', 'use `dynamic_template_data`.');
  }
  const requests = personalizations.map((one) => requestOf(mail, one, shared));
  if (!hasSubstitutions) return { emails: { kind: 'several', requests }, isSandboxed };
  if (personalizations.every(isForOne)) {
    return { emails: { kind: 'personal', request: personalOf(requests, substitutions) }, isSandboxed };
  }
  return { emails: { kind: 'several', requests: applied(requests, substitutions) }, isSandboxed };
}

/** Only the recipient and the values differ. */
function isForOne(one: WireFields): boolean {
  const own = ['cc', 'bcc', 'from', 'subject', 'custom_args', 'send_at'];
  return one.list('to', maxRecipients).length === 1 && own.every((name) => !one.has(name));
}

function personalOf(
  requests: readonly SendRequest[],
  values: readonly Readonly<Record<string, string>>[],
): SharedSendRequest {
  const [first] = requests as readonly [SendRequest];
  const substitutions = new Substitutions(values);
  const { from = '', replyTo, tags, tracking, scheduledAt, attachments = [] } = first;
  return {
    from,
    replyTo,
    tags,
    tracking,
    scheduledAt,
    subject: substitutions.tagged('subject', first.subject ?? ''),
    content: {
      ...(first.html === undefined ? {} : { html: substitutions.tagged('content', String(first.html)) }),
      ...(first.text === undefined ? {} : { text: substitutions.tagged('content', String(first.text)) }),
      attachments: attachments.flatMap((file) => ('content' in file ? file : [])),
    },
    isBulk: requests.length > maxRecipients,
    recipients: requests.map(({ to, headers }, at) => ({
      to: String(to),
      headers,
      values: substitutions.valuesOf(at),
    })),
  };
}

function sharedOf(mail: WireFields): Shared {
  const content = mail.objects('content', 10).map((part) => [part.text('type'), part.text('value')] as const);
  for (const [type = ''] of content) {
    if (type !== 'text/plain' && type !== 'text/html') {
      throw new NoCounterpartError(`\`content\` of the type \`${type.slice(0, 50)}\``, 'attach it.');
    }
  }
  const only = mail.object('reply_to');
  const replyTo = only === undefined ? mail.objects('reply_to_list', maxRecipients) : [only];
  return {
    subject: mail.text('subject'),
    html: content.find(([type]) => type === 'text/html')?.[1],
    text: content.find(([type]) => type === 'text/plain')?.[1],
    // Clients give values only to templates whose id begins so.
    templateId: mail.text('template_id')?.replace(/^d-/, ''),
    replyTo: replyTo.length === 0 ? undefined : replyTo.map(mailboxOf),
    attachments: mail.objects('attachments', maxAttachments).map(sendgridAttachment),
    tracking: trackingOf(mail.object('tracking_settings')),
  };
}

function requestOf(mail: WireFields, one: WireFields, shared: Shared): SendRequest {
  const { templateId, subject, html, text, ...same } = shared;
  const recipients = (name: string): string[] => one.objects(name, maxRecipients).map(mailboxOf);
  const from = one.object('from') ?? mail.object('from');
  if (from === undefined) throw new ValidationError('`from` is required.');
  const sendAt = one.whole('send_at') ?? mail.whole('send_at');
  const headers = { ...mail.textMap('headers', maxHeaders), ...one.textMap('headers', maxHeaders) };
  const data = one.object('dynamic_template_data');
  if (data !== undefined && templateId === undefined) {
    throw new ValidationError(`\`${one.pathOf('dynamic_template_data')}\` needs a \`template_id\`.`);
  }
  const variables = Object.fromEntries((data?.names ?? []).map((name) => [name, data?.any(name)]));
  const ownSubject = one.text('subject') ?? subject;
  return {
    ...same,
    from: mailboxOf(from),
    to: recipients('to'),
    cc: recipients('cc'),
    bcc: recipients('bcc'),
    tags: sendgridTags(mail, one),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(sendAt === undefined ? {} : { scheduledAt: new Date(sendAt * 1_000) }),
    ...(templateId === undefined
      ? { subject: ownSubject ?? '', html, text }
      : { subject: ownSubject, html, text, template: { id: templateId, variables } }),
  };
}

export function sendgridTags(mail: WireFields, one: WireFields): SendRequest['tags'] {
  const given = { ...mail.textMap('custom_args', maxArguments), ...one.textMap('custom_args', maxArguments) };
  return [
    ...mail.texts('categories', maxCategories).map((value) => ({
      name: categoryOfMessage,
      value: tagText('categories', value),
    })),
    ...tagsOf('custom_args', given, [categoryOfMessage]),
  ];
}

function mailboxOf(fields: WireFields): string {
  const email = fields.text('email');
  const address = email === undefined ? undefined : parseEmailAddress(email.trim());
  if (address === undefined) throw new ValidationError(`\`${fields.pathOf('email')}\` must be a valid address.`);
  const name = fields.text('name')?.trim();
  return formatMailbox(name === undefined || name === '' ? address : { ...address, name });
}

function sendgridAttachment(file: WireFields): RequestedAttachment {
  const isInline = file.text('disposition') === 'inline';
  return attachmentOf({
    filename: file.text('filename'),
    content: file.any('content'),
    content_type: file.text('type'),
    content_id: isInline ? file.text('content_id') : undefined,
  });
}

function isOn(settings: WireFields | undefined, name: string): boolean | undefined {
  return settings?.object(name)?.flag('enable');
}

function trackingOf(settings: WireFields | undefined): TrackingChoice {
  for (const name of ['subscription_tracking', 'ganalytics']) {
    if (isOn(settings, name) === true) throw new NoCounterpartError(`\`tracking_settings.${name}\``);
  }
  settings?.object('open_tracking')?.refuse(['substitution_tag']);
  const [opens, clicks] = [isOn(settings, 'open_tracking'), isOn(settings, 'click_tracking')];
  return { ...(opens === undefined ? {} : { opens }), ...(clicks === undefined ? {} : { clicks }) };
}

function sandboxed(mail: WireFields): boolean {
  const settings = mail.object('mail_settings');
  const others = (settings?.names ?? []).filter((name) => name !== 'sandbox_mode');
  for (const name of others) {
    if (isOn(settings, name) === true) throw new NoCounterpartError(`\`mail_settings.${name}\``);
  }
  return isOn(settings, 'sandbox_mode') === true;
}
