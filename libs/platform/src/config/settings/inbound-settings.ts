import { baseUrl, choice, integer, text } from '../variables.js';

export type InboundAction = 'reject' | 'record';
const actions: readonly InboundAction[] = ['reject', 'record'];

/** Mail that the domains of teams receive. */
export const inboundSettings = {
  inboundMessagesPerMinute: integer(
    'INBOUND_MESSAGES_PER_MINUTE',
    'Maximum number of messages from one address without a login; its network may send four times as many',
    '1200',
    { min: 1, max: 10_000_000 },
  ),
  inboundDmarc: choice<InboundAction>(
    'INBOUND_DMARC',
    'What becomes of mail that fails DMARC where the author’s domain asks to reject it',
    'reject',
    actions,
  ),
  inboundSpam: choice<InboundAction>(
    'INBOUND_SPAM',
    'What becomes of mail that `RSPAMD_URL` takes for spam',
    'record',
    actions,
  ),
  inboundViruses: choice<InboundAction>(
    'INBOUND_VIRUSES',
    'What becomes of mail in which `CLAMAV_URL` finds a virus',
    'reject',
    actions,
  ),
  rspamdUrl: baseUrl('RSPAMD_URL', 'Rspamd’s normal worker, which scores received mail: `http://127.0.0.1:11333`'),
  clamavUrl: text(
    'CLAMAV_URL',
    'ClamAV’s clamd, which scans received mail: `tcp://127.0.0.1:3310` or `unix:/run/clamav/clamd.ctl`',
  ),
  inboundScans: integer(
    'INBOUND_SCANS',
    'Messages that each process has Rspamd, and ClamAV, check at the same time; the others take turns by team',
    '10',
    { min: 1, max: 1_000 },
  ),
} as const;
