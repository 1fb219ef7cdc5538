import { ValidationError } from '#kernel';
import type { WireName } from '#platform/config';
import { OtherControlFields, type ExtensionFields, type SubmissionChoices } from '#smtp';
import { MailForm } from './mailgun/mailgun-form.js';
import { mailgunChoices, refuseOthers } from './mailgun/mailgun-message.js';
import { postmarkTags, postmarkTracking } from './postmark/postmark-message.js';
import { sendgridTags } from './sendgrid/sendgrid-message.js';
import { tagsOfSes } from './ses/ses-message.js';
import { NoCounterpartError } from './wire-emails.js';
import { jsonObjectOf, WireFields } from './wire-fields.js';

/** A field with JSON, in characters. */
const maxJsonLength = 16_000;
const maxPairs = 50;

const readers: Readonly<
  Record<WireName, readonly [prefix: string, read: (fields: ExtensionFields) => SubmissionChoices]>
> = {
  mailgun: ['x-mailgun-', ofMailgun],
  postmark: ['x-pm-', ofPostmark],
  sendgrid: ['x-smtpapi', ofSendgrid],
  ses: ['x-ses-', ofSes],
};

/**
 * The control fields of other providers in messages that come over SMTP, of those whose wires are on. Fields that a provider adds
 * to what it delivers are none: a forwarded message may have them.
 */
export class WireControlFields extends OtherControlFields {
  private readonly asked;

  constructor(names: readonly WireName[]) {
    super();
    this.asked = [...new Set(names)].map((name) => readers[name]);
  }

  read(fields: ExtensionFields): SubmissionChoices {
    const all: SubmissionChoices[] = [];
    for (const [prefix, read] of this.asked) {
      const own = fields.filter(([lowerName]) => lowerName.startsWith(prefix));
      if (own.length > 0) all.push(read(own));
    }
    return {
      tags: all.flatMap(({ tags }) => tags ?? []),
      scheduledAt: all.find(({ scheduledAt }) => scheduledAt !== undefined)?.scheduledAt,
      tracking: all.find(({ tracking }) => Object.keys(tracking ?? {}).length > 0)?.tracking,
    };
  }
}

/** Their names among the parameters of the API. */
const mailgunNames: Readonly<Record<string, string>> = {
  'x-mailgun-tag': 'o:tag',
  'x-mailgun-track': 'o:tracking',
  'x-mailgun-track-opens': 'o:tracking-opens',
  'x-mailgun-track-clicks': 'o:tracking-clicks',
  'x-mailgun-deliver-by': 'o:deliverytime',
  'x-mailgun-dkim': 'o:dkim',
  'x-mailgun-require-tls': 'o:require-tls',
  'x-mailgun-skip-verification': 'o:skip-verification',
};
const withoutCounterpart =
  /^x-mailgun-(?:recipient-variables|drop-message|template-(?:name|version|variables|text)|archive-to|sending-ip-pool)$/;

function ofMailgun(fields: ExtensionFields): SubmissionChoices {
  const form = MailForm.of(
    fields.flatMap(([lowerName, value]): (readonly [string, string])[] => {
      if (withoutCounterpart.test(lowerName)) throw new NoCounterpartError(`\`${lowerName}\``);
      if (lowerName === 'x-mailgun-variables') return pairsOf(jsonOf('X-Mailgun-Variables', value), 'v:');
      const name = mailgunNames[lowerName];
      return name === undefined ? [] : [[name, value]];
    }),
  );
  try {
    refuseOthers(form);
    return mailgunChoices(form);
  } catch (error) {
    if (error instanceof ValidationError) throw new ValidationError(withFieldNames(error.message));
    throw error;
  }
}

/** The words of the API, for those who wrote fields. */
function withFieldNames(message: string): string {
  return Object.entries(mailgunNames).reduce(
    (text, [field, name]) => text.replace(`\`${name}\``, `\`${field}\``),
    message,
  );
}

function ofPostmark(fields: ExtensionFields): SubmissionChoices {
  const value = (lowerName: string): string | undefined => fields.find(([name]) => name === lowerName)?.[1];
  const metadata = fields.filter(([name]) => name.startsWith('x-pm-metadata-'));
  const opens = value('x-pm-trackopens')?.toLowerCase();
  if (opens !== undefined && opens !== 'true' && opens !== 'false') {
    throw new ValidationError('`X-PM-TrackOpens` must be `true` or `false`.');
  }
  const message = WireFields.of({
    Tag: value('x-pm-tag'),
    MessageStream: value('x-pm-message-stream'),
    TrackOpens: opens === undefined ? undefined : opens === 'true',
    TrackLinks: value('x-pm-tracklinks'),
    Metadata: Object.fromEntries(metadata.map(([name, text]) => [name.slice('x-pm-metadata-'.length), text])),
  });
  return { tags: postmarkTags(message), tracking: postmarkTracking(message) };
}

const sendgridFields = ['category', 'unique_args', 'send_at', 'filters'];
const sendgridSettings = new Map<string, 'opens' | 'clicks'>([
  ['opentrack', 'opens'],
  ['clicktrack', 'clicks'],
]);

function ofSendgrid(fields: ExtensionFields): SubmissionChoices {
  const [field, second] = fields.filter(([lowerName]) => lowerName === 'x-smtpapi');
  if (field === undefined) return {};
  if (second !== undefined) throw new ValidationError('A message may have one `X-SMTPAPI` field.');
  const api = jsonOf('X-SMTPAPI', field[1]);
  api.refuse(api.names.filter((name) => !sendgridFields.includes(name)));
  const categories = typeof api.any('category') === 'string' ? [api.text('category')] : api.any('category');
  const mail = WireFields.of({ categories, custom_args: api.any('unique_args') });
  const sendAt = api.whole('send_at');
  return {
    tags: sendgridTags(mail, WireFields.of({})),
    ...(sendAt === undefined ? {} : { scheduledAt: new Date(sendAt * 1_000) }),
    tracking: sendgridFilters(api.object('filters')),
  };
}

function sendgridFilters(filters: WireFields | undefined): { opens?: boolean; clicks?: boolean } {
  const choice: { opens?: boolean; clicks?: boolean } = {};
  for (const name of filters?.names ?? []) {
    const enabled = filters?.object(name)?.object('settings')?.any('enable');
    const isOn = enabled === 1 || enabled === '1' || enabled === true;
    const setting = sendgridSettings.get(name);
    if (setting !== undefined) choice[setting] = isOn;
    else if (isOn) throw new NoCounterpartError(`\`filters.${name}\``);
  }
  return choice;
}

function ofSes(fields: ExtensionFields): SubmissionChoices {
  const value = (lowerName: string): string | undefined => fields.find(([name]) => name === lowerName)?.[1];
  const pairs = (value('x-ses-message-tags') ?? '').split(',').filter((pair) => pair.trim() !== '');
  if (pairs.length > maxPairs) throw new ValidationError(`\`X-SES-MESSAGE-TAGS\` may have at most ${maxPairs} tags.`);
  const tags = pairs.map((pair) => {
    const equals = pair.indexOf('=');
    if (equals < 1) throw new ValidationError('`X-SES-MESSAGE-TAGS` must look like `name=value, name=value`.');
    return [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()] as const;
  });
  return { tags: tagsOfSes(Object.fromEntries(tags), value('x-ses-configuration-set')) };
}

function jsonOf(field: string, text: string): WireFields {
  if (text.length > maxJsonLength)
    throw new ValidationError(`\`${field}\` may have at most ${maxJsonLength} characters.`);
  return WireFields.of(jsonObjectOf(field, text), field);
}

function pairsOf(fields: WireFields, prefix: string): (readonly [string, string])[] {
  if (fields.names.length > maxPairs)
    throw new ValidationError(`\`X-Mailgun-Variables\` may have at most ${maxPairs} entries.`);
  return fields.names.map((name) => {
    const value = fields.any(name);
    return [`${prefix}${name}`, typeof value === 'string' ? value : JSON.stringify(value ?? '')] as const;
  });
}
