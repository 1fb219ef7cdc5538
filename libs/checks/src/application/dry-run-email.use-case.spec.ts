import { expect, it } from '@jest/globals';
import { ReadSource } from '#delivery';
import { SendingDomains } from '#domains';
import { RehearseEmail } from '#emails';
import { Principal } from '#identity';
import { AskLinks } from './ask-links.js';
import { DryRun, DryRunEmail } from './dry-run-email.use-case.js';
import { EmailInsights } from './email-insights.query.js';

const accepted = {
  region: 'eu-west-1',
  email: {
    domainId: 'd',
    from: 'hello@acme.test',
    subject: 'Hello',
    to: ['Ada <ADA@customer.test>'],
    cc: null,
    bcc: ['ada@customer.test', 'grace@other.test'],
    scheduledAt: null,
    size: 7,
  },
  recipients: [
    { no: 0, address: 'ADA@customer.test' },
    {
      no: 1,
      address: 'grace@other.test',
      withheld: { status: 'failed', data: { failed: { reason: 'unsubscribed' } } },
    },
  ],
};

const outgoing = { email: { teamId: 't', tracking: null } };

async function run(
  message: Uint8Array | undefined,
  {
    charged = [],
    rendered = [],
    asksLinks = false,
  }: { charged?: number[]; rendered?: unknown[]; asksLinks?: boolean } = {},
): Promise<DryRun> {
  const dryRun = new DryRunEmail(
    {
      rehearse: (_: unknown, __: unknown, use: (rehearsed: unknown) => unknown) => use({ accepted, outgoing }),
    } as unknown as RehearseEmail,
    {
      of: async (email: typeof outgoing) => {
        rendered.push(email.email.tracking);
        return message;
      },
    } as unknown as ReadSource,
    {
      about: async (_: unknown, __: unknown, asked: unknown) => (asked === null ? [] : [asked]),
    } as unknown as EmailInsights,
    { findById: async () => ({ tls: 'enforced', trackingSubdomain: null }) } as unknown as SendingDomains,
    {
      laneOf: ({ region, recipientDomain }: { region: string; recipientDomain: string }) =>
        `${region}/${recipientDomain}`,
    },
    { of: async (teamId: string) => `links of ${teamId}` } as unknown as AskLinks,
  );
  return dryRun.run({} as Principal, {}, { asksLinks }, (bytes, work) => {
    charged.push(bytes);
    return work();
  });
}

it('names each recipient once, with its field, its lane and what keeps the email from it', async () => {
  const charged: number[] = [];
  const { recipients, tls, source, size } = await run(Buffer.from('Subject: Hello'), { charged });
  expect(recipients).toEqual([
    { address: 'ADA@customer.test', kind: 'to', withheld: undefined, lane: 'eu-west-1/customer.test' },
    {
      address: 'grace@other.test',
      kind: 'bcc',
      withheld: expect.objectContaining({ status: 'failed' }),
      lane: 'eu-west-1/other.test',
    },
  ]);
  expect([tls, source, size, charged]).toEqual(['enforced', 'Subject: Hello', 14, [7]]);
});

it('shows no message of more than 256 KB, and none of a domain that was deleted meanwhile', async () => {
  expect(await run(Buffer.alloc(256 * 1024 + 1))).toMatchObject({ source: undefined, size: 256 * 1024 + 1 });
  await expect(run(undefined)).rejects.toThrow('Domain not found');
});

it('asks for links if that is wanted, for those of a copy without tracking', async () => {
  const rendered: unknown[] = [];
  const { findings } = await run(Buffer.from('x'), { rendered, asksLinks: true });
  expect([rendered, findings]).toEqual([[null, { opens: false, clicks: false }], ['links of t']]);
});
