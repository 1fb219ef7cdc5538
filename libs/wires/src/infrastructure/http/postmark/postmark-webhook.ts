import type { WebhookEventType } from '#events';
import type { WebhookFormat } from '#webhooks';
import { ProviderEvent, providerEvent, ToldSuppression } from '../event-names.js';
import { bounceOf } from './postmark-bounce.js';
import { keptFields } from './postmark-message.js';
import { numberOf } from './postmark-pages.js';
import { reasons } from './postmark-suppressions.controller.js';

/** What is stored of a webhook of Postmark beside its URL and its events. */
export interface PostmarkSettings {
  readonly MessageStream: string;
  readonly PostFirstOpenOnly: boolean;
  readonly HttpAuth: { readonly Username: string; readonly Password: string } | null;
  readonly HttpHeaders: readonly { readonly Name: string; readonly Value: string }[];
}

export const postmarkTriggers: Readonly<Record<string, readonly WebhookEventType[]>> = {
  Open: ['email.opened'],
  Click: ['email.clicked'],
  Delivery: ['email.delivered'],
  Bounce: ['email.bounced'],
  SpamComplaint: ['email.complained'],
  SubscriptionChange: ['suppression.added', 'suppression.removed'],
};

export const postmarkFormat: WebhookFormat = (message, event, { teamId, settings: stored }) => {
  const settings = JSON.parse(stored ?? '{}') as PostmarkSettings;
  const isRepeated = event.kind === 'email' && message.type === 'email.opened' && !event.isFirst;
  if (isRepeated && settings.PostFirstOpenOnly) return undefined;
  const fields =
    event.kind === 'email'
      ? recordOf(providerEvent(message, event), teamId, event.isFirst)
      : subscriptionChange(message, JSON.parse(event.data) as ToldSuppression, settings.MessageStream);
  if (fields === undefined || fields.MessageStream !== settings.MessageStream) return undefined;
  const { HttpAuth, HttpHeaders } = settings;
  const given = HttpHeaders.map(({ Name, Value }) => [Name.toLowerCase(), Value] as const);
  const credentials = Buffer.from(`${HttpAuth?.Username ?? ''}:${HttpAuth?.Password ?? ''}`).toString('base64');
  return {
    body: JSON.stringify({ ...fields, ServerID: numberOf(teamId) }),
    headers: { ...Object.fromEntries(given), ...(HttpAuth && { authorization: `Basic ${credentials}` }) },
  };
};

interface Visit {
  readonly ipAddress?: string;
  readonly userAgent?: string;
  readonly link?: string;
}

function recordOf(event: ProviderEvent, teamId: string, isFirst: boolean): Record<string, unknown> | undefined {
  const { emailId: MessageID, recipient, type, data } = event;
  const { open, click, host = '' } = (data ?? {}) as { open?: Visit; click?: Visit; host?: string };
  const at = event.createdAt.toISOString();
  const common = { ...keptFields(event.tags), MessageID, Recipient: recipient ?? '' };
  switch (type) {
    case 'email.delivered':
      return { RecordType: 'Delivery', ...common, DeliveredAt: at, Details: host };
    case 'email.opened':
      return { RecordType: 'Open', ...common, FirstOpen: isFirst, ReceivedAt: at, ...visitorOf(open) };
    case 'email.clicked': {
      const where = { ClickLocation: 'HTML', OriginalLink: click?.link ?? '' };
      return { RecordType: 'Click', ...common, ...where, ReceivedAt: at, ...visitorOf(click) };
    }
    case 'email.bounced':
      return bounceOf(event, teamId);
    case 'email.complained':
      return { ...bounceOf(event, teamId), RecordType: 'SpamComplaint' };
    default:
      return undefined;
  }
}

/** Nothing is known of a program and of a place. */
function visitorOf({ ipAddress: IP = '', userAgent: UserAgent = '' }: Visit = {}): object {
  const unknown = { Name: '', Company: '', Family: '' };
  return { Platform: 'Unknown', UserAgent, OS: unknown, Client: unknown, Geo: { IP } };
}

/** Suppressions are those of the team: the webhooks of every stream are told. */
function subscriptionChange(
  { type, createdAt }: Parameters<WebhookFormat>[0],
  { email, origin, source_id }: ToldSuppression,
  MessageStream: string,
): Record<string, unknown> | undefined {
  if (!postmarkTriggers.SubscriptionChange?.includes(type)) return undefined;
  const isAdded = type === 'suppression.added';
  return {
    RecordType: 'SubscriptionChange',
    MessageID: source_id ?? '00000000-0000-0000-0000-000000000000',
    MessageStream,
    ChangedAt: createdAt.toISOString(),
    Recipient: email,
    Origin: origin === 'manual' ? 'Customer' : 'Recipient',
    SuppressSending: isAdded,
    SuppressionReason: isAdded ? reasons[origin] : null,
    Tag: '',
    Metadata: {},
  };
}
