import { maxRecipients } from '#emails';
import type { SendRequest } from '#emails';
import { ValidationError } from '#kernel';
import { NoCounterpartError } from '../wire-emails.js';
import {
  attachmentOf,
  WireFields,
  metadataOf,
  splitAddresses,
  StoredTags,
  tagsOf,
  tagText,
  tagValues,
} from '../wire-fields.js';

/** Names of the tags in which the fields of Postmark are kept. */
const tagOfMessage = 'tag';
const streamOfMessage = 'stream';
const own = [tagOfMessage, streamOfMessage];
export const defaultStream = 'outbound';

const maxAttachments = 100;
const maxHeaders = 100;
const maxMetadata = 10;

/** One message of `/email` or of a batch. */
export function postmarkMessage(message: WireFields): SendRequest {
  message.refuse(['TemplateId', 'TemplateAlias', 'TemplateModel'], 'use `/email/withTemplate`.');
  return {
    ...sharedFields(message),
    from: required(message, 'From'),
    subject: message.text('Subject', { keepEmpty: true }) ?? '',
    html: message.text('HtmlBody'),
    text: message.text('TextBody'),
  };
}

/** One message of `/email/withTemplate`. The template may have the sender and the subject. */
export function postmarkTemplateMessage(message: WireFields): SendRequest {
  message.refuse(['Subject', 'HtmlBody', 'TextBody'], 'the template has them.');
  message.refuse(['InlineCss'], 'the stored template is sent as it is.');
  const alias = message.text('TemplateAlias');
  const id = message.any('TemplateId');
  if (typeof id === 'number') {
    throw new NoCounterpartError('A number as `TemplateId`', 'templates have an alias, or the id that they have here.');
  }
  const template = alias ?? message.text('TemplateId');
  if (template === undefined) throw new ValidationError('`TemplateAlias` or `TemplateId` is required.');
  const model = message.object('TemplateModel');
  const variables = Object.fromEntries((model?.names ?? []).map((name) => [name, model?.any(name)]));
  return { ...sharedFields(message), from: message.text('From'), template: { id: template, variables } };
}

function sharedFields(message: WireFields): SendRequest {
  message.refuse(['TrackLinks'].filter(() => message.any('TrackLinks') === 'TextOnly'));
  const to = splitAddresses(required(message, 'To'));
  const [cc, bcc] = ['Cc', 'Bcc'].map((name) => splitAddresses(message.text(name) ?? ''));
  const count = to.length + (cc?.length ?? 0) + (bcc?.length ?? 0);
  if (count > maxRecipients) throw new ValidationError(`A message may have at most ${maxRecipients} recipients.`);
  const replyTo = message.text('ReplyTo');
  return {
    to,
    cc,
    bcc,
    replyTo: replyTo === undefined ? undefined : splitAddresses(replyTo),
    headers: headersOf(message),
    tags: postmarkTags(message),
    tracking: postmarkTracking(message),
    attachments: message.objects('Attachments', maxAttachments).map((file) =>
      attachmentOf({
        filename: file.text('Name'),
        content: file.any('Content'),
        content_type: file.text('ContentType'),
        content_id: file.text('ContentID')?.replace(/^cid:/i, ''),
      }),
    ),
  };
}

function required(message: WireFields, name: string): string {
  const text = message.text(name);
  if (text === undefined) throw new ValidationError(`Zero recipients specified, or no \`${name}\` field.`);
  return text;
}

function headersOf(message: WireFields): Record<string, string> | undefined {
  const headers = message.objects('Headers', maxHeaders).map((header) => {
    const [name, value] = [header.text('Name'), header.text('Value', { keepEmpty: true })];
    if (name === undefined || value === undefined) {
      throw new ValidationError('Each of `Headers` must have a `Name` and a `Value`.');
    }
    return [name, value] as const;
  });
  return headers.length === 0 ? undefined : Object.fromEntries(headers);
}

export function postmarkTags(message: WireFields): SendRequest['tags'] {
  const tag = message.text('Tag');
  const stream = message.text('MessageStream') ?? defaultStream;
  return [
    ...(tag === undefined ? [] : [{ name: tagOfMessage, value: tagText('Tag', tag) }]),
    ...(stream === defaultStream ? [] : [{ name: streamOfMessage, value: tagText('MessageStream', stream) }]),
    ...tagsOf('Metadata', message.textMap('Metadata', maxMetadata), own),
  ];
}

const linkChoices: Readonly<Record<string, boolean>> = { None: false, HtmlAndText: true, HtmlOnly: true };

export function postmarkTracking(message: WireFields): SendRequest['tracking'] {
  const opens = message.flag('TrackOpens');
  const links = message.text('TrackLinks');
  const clicks = links === undefined ? undefined : linkChoices[links];
  if (links !== undefined && clicks === undefined) {
    throw new ValidationError('`TrackLinks` must be `None`, `HtmlAndText` or `HtmlOnly`.');
  }
  return { ...(opens === undefined ? {} : { opens }), ...(clicks === undefined ? {} : { clicks }) };
}

/** The fields of Postmark that are kept as tags. */
export function keptFields(tags: StoredTags): { Tag: string; MessageStream: string; Metadata: Record<string, string> } {
  return {
    Tag: tagValues(tags, tagOfMessage)[0] ?? '',
    MessageStream: tagValues(tags, streamOfMessage)[0] ?? defaultStream,
    Metadata: metadataOf(tags, own),
  };
}

/** The tag by which messages with this value of a field of Postmark are found. */
export const tagFilter = (value: string): { name: string; value: string } => ({
  name: tagOfMessage,
  value: tagText('tag', value),
});
