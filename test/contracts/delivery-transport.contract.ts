import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DeliveryTransport } from '../../libs/delivery/src/application/ports/delivery-transport.port.js';
import { outboundMessage } from '../support/builders/delivery-messages.js';

export interface ArrivedMessage {
  readonly mailFrom: string;
  readonly recipients: readonly string[];
  readonly content: Uint8Array;
}

/** One adapter and the receiver that it delivers to. Created for each test. */
export interface DeliveryTransportSubject {
  readonly transport: DeliveryTransport;
  /** The messages that have arrived so far. */
  arrived(): readonly ArrivedMessage[];
  /** From now on the receiver refuses mail for this recipient. */
  refuse(recipient: string, how: 'permanently' | 'temporarily'): void;
  /** Stops everything that `create` started, except the transport. */
  dispose(): Promise<void>;
}

const text = (content: Uint8Array): string => Buffer.from(content).toString('latin1');

/** The tests that every `DeliveryTransport` must pass. */
export function describeDeliveryTransport(name: string, create: () => Promise<DeliveryTransportSubject>): void {
  describe(`${name} as a DeliveryTransport`, () => {
    let subject: DeliveryTransportSubject;
    let transport: DeliveryTransport;

    beforeEach(async () => {
      subject = await create();
      transport = subject.transport;
    });

    afterEach(async () => {
      await transport.close();
      await subject.dispose();
    });

    test('a message arrives with its envelope and is reported delivered', async () => {
      const message = outboundMessage({ recipients: ['a@example.test', 'b@example.test'] });

      const outcomes = await transport.deliver(message);

      expect(outcomes.map((outcome) => outcome.kind)).toEqual(['delivered', 'delivered']);
      expect(subject.arrived()).toMatchObject([{ mailFrom: message.mailFrom, recipients: message.recipients }]);
    });

    test('the null sender stays the null sender', async () => {
      await transport.deliver(outboundMessage({ mailFrom: '' }));

      expect(subject.arrived()).toMatchObject([{ mailFrom: '' }]);
    });

    test.each([
      ['dots at line starts', '.a: b\r\n\r\n.\r\n..\r\n.. x\r\n.\r\n\r\n.\r\n'],
      ['no body', 'Subject: x\r\n\r\n'],
      ['eight-bit bytes', 'Subject: x\r\n\r\n\xe4\xf6\xfc\xff\x80\r\n'],
      ['lines that look like commands', 'Subject: x\r\n\r\nQUIT\r\nMAIL FROM:<a@b.test>\r\n'],
      ['very long lines', `Subject: x\r\n\r\n${'y'.repeat(70_000)}\r\n`],
    ])('content with %s arrives byte for byte', async (_, content) => {
      await transport.deliver(outboundMessage({ content: Buffer.from(content, 'latin1') }));

      expect(subject.arrived().map((message) => text(message.content))).toEqual([content]);
    });

    test('a message of 10 MB arrives byte for byte', async () => {
      const content = Buffer.alloc(10 * 1024 * 1024, 'All work and no play makes Jack a dull boy\r\n.dotted\r\n');
      content.write('\r\n', content.length - 2);

      const [outcome] = await transport.deliver(outboundMessage({ content }));

      expect(outcome?.kind).toBe('delivered');
      expect(Buffer.compare(subject.arrived()[0]?.content as Buffer, content)).toBe(0);
    });

    test('a permanent refusal bounces, a temporary one defers, and the others are delivered', async () => {
      subject.refuse('gone@example.test', 'permanently');
      subject.refuse('busy@example.test', 'temporarily');
      const recipients = ['gone@example.test', 'good@example.test', 'busy@example.test'];

      const outcomes = await transport.deliver(outboundMessage({ recipients }));

      expect(outcomes).toMatchObject([
        { kind: 'bounced', detail: { replyCode: expect.any(Number) } },
        { kind: 'delivered' },
        { kind: 'deferred', outcomeUnknown: false, detail: { replyCode: expect.any(Number) } },
      ]);
      expect(subject.arrived()).toMatchObject([{ recipients: ['good@example.test'] }]);
    });

    test('a message that is refused for all recipients does not arrive, and the next one does', async () => {
      subject.refuse('gone@example.test', 'permanently');

      const [refused] = await transport.deliver(outboundMessage({ recipients: ['gone@example.test'] }));
      const [delivered] = await transport.deliver(outboundMessage({ recipients: ['good@example.test'] }));

      expect([refused?.kind, delivered?.kind]).toEqual(['bounced', 'delivered']);
      expect(subject.arrived()).toHaveLength(1);
    });

    test('concurrent deliveries each get their own outcome', async () => {
      const refused = (index: number): boolean => index % 7 === 3;
      const recipients = Array.from({ length: 200 }, (_, index) => `user${index}@example.test`);
      recipients.filter((_, index) => refused(index)).forEach((recipient) => subject.refuse(recipient, 'permanently'));

      const outcomes = await Promise.all(
        recipients.map((recipient) =>
          transport.deliver(
            outboundMessage({ recipients: [recipient], content: Buffer.from(`To: ${recipient}\r\n\r\n`) }),
          ),
        ),
      );

      expect(outcomes.map(([outcome]) => outcome?.kind)).toEqual(
        recipients.map((_, index) => (refused(index) ? 'bounced' : 'delivered')),
      );
      expect(
        subject
          .arrived()
          .map((message) => [...message.recipients, text(message.content)])
          .sort(),
      ).toEqual(
        recipients
          .filter((_, index) => !refused(index))
          .map((recipient) => [recipient, `To: ${recipient}\r\n\r\n`])
          .sort(),
      );
    });

    test('a lane allows at least one delivery at a time', () => {
      expect(transport.concurrencyOf('eu-west-1/default/mx:example.test')).toBeGreaterThanOrEqual(1);
    });

    test('close waits for the deliveries under way, and later deliveries are rejected', async () => {
      const underWay = transport.deliver(outboundMessage());

      await transport.close();

      expect((await underWay)[0]?.kind).toBe('delivered');
      await expect(transport.deliver(outboundMessage())).rejects.toThrow('closed');
    });
  });
}
