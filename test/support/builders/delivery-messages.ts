import type { OutboundMessage } from '../../../libs/delivery/src/domain/attempt.js';

/** The fields of a message that a test sets. The content is given as bytes. */
export type MessageFields = Partial<Omit<OutboundMessage, 'content'>> & { readonly content?: Uint8Array };

/** A message as delivery passes it to a transport. A test names only the fields it is about. */
export function outboundMessage({ content = hello, ...fields }: MessageFields = {}): OutboundMessage {
  return {
    emailId: '01890000-0000-7000-8000-000000000001',
    teamId: '01890000-0000-7000-8000-000000000002',
    lane: 'us-east-1/default/mx:example.test',
    mailFrom: 'bounces@sender.test',
    recipients: ['someone@example.test'],
    size: content.length,
    content: async () => ({ bytes: content, isInDemand: false, release: () => undefined }),
    ...fields,
  };
}

const hello = Buffer.from('Subject: Hello\r\n\r\nHi.\r\n');
