import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { eventsOf, lastEventOf } from '../support/builders/email-events.js';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';

const transport = new InMemoryDeliveryTransport();
let program: TestProgram;

beforeAll(async () => {
  const environment = { TEST_ADDRESS_DOMAINS: 'resend.dev,Try.test' };
  program = await startProgram(environment, new Adapters().use(DeliveryTransport, transport));
});

afterAll(() => program.stop());

async function send(to: string | string[]): Promise<string> {
  const { data, error } = await program.resend.emails.send({ from: testSender, to, subject: 'Hi', text: 'Hello' });
  expect(error).toBeNull();
  return data?.id as string;
}

async function typesOf(id: string): Promise<string[]> {
  return (await eventsOf(program, id)).map(({ type }) => type);
}

describe('mail to a test address', () => {
  it.each(['delivered@resend.dev', 'delivered+label@resend.dev', 'Delivered@try.test'])(
    '%s is delivered',
    async (to) => {
      const id = await send(to);
      await lastEventOf(program, id, 'delivered');
      expect(await typesOf(id)).toEqual(['email.sent', 'email.delivered']);
    },
  );

  it.each(['bounced@resend.dev', 'bounced+a@resend.dev', 'suppressed+a@resend.dev', 'someone@resend.dev'])(
    '%s bounces',
    async (to) => {
      const id = await send(to);
      await lastEventOf(program, id, 'bounced');
      const [, event] = await eventsOf(program, id);
      expect(event?.data).toMatchObject({
        bounce: {
          type: 'Permanent',
          subType: 'NoEmail',
          diagnosticCode: [expect.stringMatching(/^smtp; 550 5\.1\.1/)],
        },
      });
    },
  );

  it('complained@ is delivered, then reported, and suppressed', async () => {
    const id = await send('complained+x@resend.dev');
    await lastEventOf(program, id, 'complained');
    expect(await typesOf(id)).toEqual(['email.sent', 'email.delivered', 'email.complained']);
    expect((await program.resend.suppressions.get('complained+x@resend.dev')).data).toMatchObject({
      origin: 'complaint',
      source_id: id,
    });
  });

  it('suppressed@ is suppressed', async () => {
    const id = await send('suppressed@resend.dev');
    expect((await program.resend.emails.get(id)).data?.last_event).toBe('suppressed');
    expect(await typesOf(id)).toEqual(['email.suppressed']);
  });

  it('has the same outcome every time', async () => {
    for (const expected of ['bounced', 'bounced', 'complained', 'complained']) {
      await lastEventOf(program, await send(`${expected}@resend.dev`), expected);
    }
  });

  it('never reaches the transport, while other recipients of the same email do', async () => {
    const id = await send(['delivered@resend.dev', 'real@customer.test']);
    await lastEventOf(program, id, 'delivered');
    await program.resend.emails.get(id);
    const addresses = transport.delivered.flatMap(({ recipients }) => recipients);
    expect(addresses.filter((address) => !address.endsWith('@customer.test'))).toEqual([]);
  });
});
