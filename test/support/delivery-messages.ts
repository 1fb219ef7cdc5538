import type { OutboundMessage } from '../../libs/delivery/src/domain/outbound-message.js';

/** A message as delivery would hand it over; a test names the fields it is about. */
export function outboundMessage(fields: Partial<OutboundMessage> = {}): OutboundMessage {
  return {
    emailId: '01890000-0000-7000-8000-000000000001',
    mailFrom: 'bounces@sender.test',
    recipients: ['someone@example.test'],
    content: Buffer.from('Subject: Hello\r\n\r\nHi.\r\n'),
    ...fields,
  };
}
