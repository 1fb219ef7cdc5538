import type { FoundEvent } from '#emails';
import { parseMailbox } from '#kernel';
import { keptByMailgun } from './mailgun-message.js';

export type MailgunEvent = Readonly<Record<string, unknown>>;

interface Detail {
  readonly bounce?: { readonly type?: string; readonly message?: string; readonly diagnosticCode?: readonly string[] };
  readonly failed?: { readonly reason?: string };
  readonly click?: { readonly link?: string; readonly ipAddress?: string; readonly userAgent?: string };
  readonly open?: { readonly ipAddress?: string; readonly userAgent?: string };
}

export function mailgunEvent(event: FoundEvent): MailgunEvent {
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

function ownFields({ type, data }: FoundEvent): MailgunEvent {
  const { bounce, failed, click, open } = (data ?? {}) as Detail;
  switch (type) {
    case 'email.delivered':
      return {
        event: 'delivered',
        'log-level': 'info',
        'delivery-status': { code: 250, message: 'OK', description: '' },
      };
    case 'email.opened':
      return { event: 'opened', 'log-level': 'info', ...visitorOf(open) };
    case 'email.clicked':
      return { event: 'clicked', 'log-level': 'info', url: click?.link ?? '', ...visitorOf(click) };
    case 'email.complained':
      return { event: 'complained', 'log-level': 'warn' };
    case 'email.delivery_delayed':
      return failure('temporary', 'generic', statusOf(bounce?.diagnosticCode ?? [], bounce?.message, 451));
    case 'email.bounced':
      return failure('permanent', 'bounce', statusOf(bounce?.diagnosticCode ?? [], bounce?.message, 550));
    case 'email.failed':
      return failure('permanent', 'generic', { code: 550, message: failed?.reason ?? '', description: '' });
    case 'email.suppressed':
      // The code with which Mailgun says that it knows of an earlier bounce.
      return failure('permanent', 'suppress-bounce', {
        code: 605,
        message: '',
        description: 'Not delivering to previously bounced address',
      });
    default:
      return { event: 'accepted', 'log-level': 'info' };
  }
}

function failure(severity: string, reason: string, status: object): MailgunEvent {
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
