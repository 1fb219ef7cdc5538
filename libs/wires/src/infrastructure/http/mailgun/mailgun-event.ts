import { parseMailbox } from '#kernel';
import { ProviderEvent, providerNames } from '../event-names.js';
import { keptByMailgun } from './mailgun-message.js';

export type MailgunEvent = Readonly<Record<string, unknown>>;

interface Detail {
  readonly bounce?: { readonly type?: string; readonly message?: string; readonly diagnosticCode?: readonly string[] };
  readonly failed?: { readonly reason?: string };
  readonly click?: { readonly link?: string; readonly ipAddress?: string; readonly userAgent?: string };
  readonly open?: { readonly ipAddress?: string; readonly userAgent?: string };
}

export function mailgunEvent(event: ProviderEvent): MailgunEvent {
  const { messageId, from, to, subject, size, recipient } = event;
  const address = recipient ?? parseMailbox(to[0] ?? '')?.address ?? '';
  const kept = keptByMailgun(event.tags);
  return {
    id: event.position,
    timestamp: event.createdAt.getTime() / 1_000,
    recipient: address,
    'recipient-domain': address.slice(address.lastIndexOf('@') + 1),
    ...kept,
    message: {
      headers: { 'message-id': messageId.replace(/^<|>$/g, ''), from, to: to.join(', '), subject },
      size,
      attachments: [],
    },
    envelope: { sender: parseMailbox(from)?.address ?? from, targets: address, transport: 'smtp' },
    flags: { 'is-routed': false, 'is-authenticated': true, 'is-system-test': false, 'is-test-mode': false },
    ...ownFields(event),
  };
}

function ownFields({ type, data }: ProviderEvent): MailgunEvent {
  const { bounce, failed, click, open } = (data ?? {}) as Detail;
  const { mailgun: named = 'accepted', severity = 'permanent' } = providerNames[type];
  switch (named) {
    case 'delivered':
      return {
        event: named,
        'log-level': 'info',
        'delivery-status': { code: 250, message: 'OK', description: '' },
      };
    case 'opened':
      return { event: named, 'log-level': 'info', ...visitorOf(open) };
    case 'clicked':
      return { event: named, 'log-level': 'info', url: click?.link ?? '', ...visitorOf(click) };
    case 'complained':
      return { event: named, 'log-level': 'warn' };
    case 'accepted':
      return { event: named, 'log-level': 'info' };
    case 'failed':
      break;
  }
  if (type === 'email.failed') {
    return failure(severity, 'generic', { code: 550, message: failed?.reason ?? '', description: '' });
  }
  if (type === 'email.suppressed') {
    // The code with which Mailgun says that it knows of an earlier bounce.
    return failure(severity, 'suppress-bounce', {
      code: 605,
      message: '',
      description: 'Not delivering to previously bounced address',
    });
  }
  const [reason, code] = severity === 'permanent' ? (['bounce', 550] as const) : (['generic', 451] as const);
  return failure(severity, reason, statusOf(bounce?.diagnosticCode ?? [], bounce?.message, code));
}

function failure(severity: 'permanent' | 'temporary', reason: string, status: object): MailgunEvent {
  const level = severity === 'permanent' ? 'error' : 'warn';
  return { event: 'failed', 'log-level': level, severity, reason, 'delivery-status': status };
}

const reply = /\b([245]\d\d)[ -]{1,3}([245]\.\d{1,3}\.\d{1,3})?/;

function statusOf(diagnostics: readonly string[], message: string | undefined, otherwise: number): object {
  const text = (diagnostics[0] ?? '').slice(0, 1_000);
  const [, code, enhanced] = reply.exec(text) ?? [];
  return {
    code: code === undefined ? otherwise : Number(code),
    message: text === '' ? (message ?? '') : text.replace(/^smtp; */, ''),
    description: message ?? '',
    ...(enhanced === undefined ? {} : { 'enhanced-code': enhanced }),
  };
}

function visitorOf(visit: Detail['open']): object {
  const { ipAddress = '', userAgent = '' } = visit ?? {};
  return { ip: ipAddress, 'client-info': { 'user-agent': userAgent, 'client-type': 'unknown' }, geolocation: {} };
}
