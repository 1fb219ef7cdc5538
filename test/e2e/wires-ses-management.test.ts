import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  DeleteSuppressedDestinationCommand,
  GetEmailIdentityCommand,
  GetSuppressedDestinationCommand,
  ListEmailIdentitiesCommand,
  ListSuppressedDestinationsCommand,
  PutSuppressedDestinationCommand,
  SendBulkEmailCommand,
  SendBulkEmailCommandInput,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import PostalMime from 'postal-mime';
import { newId } from '#kernel';
import { testApiKey, TestProgram, testSender } from '../support/programs/program.js';
import {
  addWelcomeTemplate,
  refusalOf,
  SesKey,
  sesKeyOf,
  startWires,
  WiresProgram,
} from '../support/programs/wires-program.js';
import { itUnless, whyNo } from '../support/runner/unless.js';

/** Bulks, suppressed destinations and identities of SES version 2, with its clients, unchanged. */

let wires: WiresProgram;
let program: TestProgram;
let credentials: SesKey;
let client: SESv2Client;
let sending: SESv2Client;
let theirs: SESv2Client;

const clientOf = (given: SesKey): SESv2Client =>
  new SESv2Client({ region: 'eu-central-1', endpoint: `${program.url}/ses`, credentials: given, maxAttempts: 1 });

const bulk = (
  entries: SendBulkEmailCommandInput['BulkEmailEntries'],
  more: Partial<SendBulkEmailCommandInput> = {},
): SendBulkEmailCommand =>
  new SendBulkEmailCommand({
    FromEmailAddress: testSender,
    DefaultContent: {
      Template: {
        TemplateName: 'welcome',
        TemplateData: '{"NAME":"friend"}',
        Headers: [
          { Name: 'X-Shared', Value: 'default' },
          { Name: 'X-Kept', Value: 'kept' },
        ],
      },
    },
    BulkEmailEntries: entries,
    ...more,
  });

beforeAll(async () => {
  wires = await startWires('ses');
  ({ program } = wires);
  await addWelcomeTemplate(program, testSender);
  credentials = await sesKeyOf(program, testApiKey);
  client = clientOf(credentials);
  const key = await program.resend.apiKeys.create({ name: 'Sending', permission: 'sending_access' });
  sending = clientOf(await sesKeyOf(program, testApiKey, key.data?.id));
  theirs = clientOf(await sesKeyOf(program, wires.second.apiKey));
});

afterAll(() => wires.stop());

it('sends a bulk, each entry with its own values, headers and tags, and with a result of its own', async () => {
  const { BulkEmailEntryResults: results = [] } = await sending.send(
    bulk(
      [
        {
          Destination: { ToAddresses: ['one@bulk.test'], CcAddresses: ['copy@bulk.test'] },
          ReplacementEmailContent: { ReplacementTemplate: { ReplacementTemplateData: '{"NAME":"Ada"}' } },
          ReplacementHeaders: [{ Name: 'X-Shared', Value: 'own' }],
          ReplacementTags: [{ Name: 'kind', Value: 'own' }],
        },
        { Destination: { ToAddresses: ['no address'] } },
        {
          Destination: { ToAddresses: ['no@bulk.test'] },
          ReplacementEmailContent: { ReplacementTemplate: { ReplacementTemplateData: '[]' } },
        },
        { Destination: { ToAddresses: ['two@bulk.test'] } },
      ],
      { DefaultEmailTags: [{ Name: 'kind', Value: 'bulk' }], ConfigurationSetName: 'news' },
    ),
  );
  expect(results).toMatchObject([
    { Status: 'SUCCESS', MessageId: expect.any(String) },
    { Status: 'MESSAGE_REJECTED', Error: expect.any(String) },
    { Status: 'MESSAGE_REJECTED', Error: expect.stringContaining('ReplacementTemplateData') },
    { Status: 'SUCCESS', MessageId: expect.any(String) },
  ]);
  const tagsOf = async (at: number) => (await program.resend.emails.get(results[at]?.MessageId ?? '')).data?.tags;
  const set = { name: 'configuration-set', value: 'news' };
  expect([await tagsOf(0), await tagsOf(3)]).toEqual([
    [set, { name: 'kind', value: 'own' }],
    [set, { name: 'kind', value: 'bulk' }],
  ]);
  const seen = async (address: string) => {
    const { subject, headers } = await PostalMime.parse((await wires.arrivalTo(address)).content);
    return [subject, ...['x-shared', 'x-kept'].map((name) => headers.find(({ key }) => key === name)?.value)];
  };
  expect(await seen('one@bulk.test')).toEqual(['Welcome Ada', 'own', 'kept']);
  expect(await seen('two@bulk.test')).toEqual(['Welcome friend', 'default', 'kept']);
});

it.each<[string, Partial<SendBulkEmailCommandInput>]>([
  ['no template', { DefaultContent: {} }],
  ['a template by ARN', { DefaultContent: { Template: { TemplateArn: 'arn:x' } } }],
  ['no entries', { BulkEmailEntries: [] }],
  ['51 entries', { BulkEmailEntries: Array.from({ length: 51 }, () => ({ Destination: {} })) }],
  ['another feedback address', { FeedbackForwardingEmailAddress: 'a@bulk.test' }],
  [
    'attachments',
    { DefaultContent: { Template: { Attachments: [{ FileName: 'a', RawContent: new Uint8Array([1]) }] } } },
  ],
  [
    'values that are too many',
    {
      DefaultContent: {
        Template: {
          TemplateName: 'welcome',
          TemplateData: JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [at, at]))),
        },
      },
    },
  ],
])('refuses a bulk with %s', async (_, more) => {
  const asked = bulk([{ Destination: { ToAddresses: ['no@bulk.test'] } }], more);
  expect((await refusalOf(client.send(asked))).name).toBe('BadRequestException');
});

it('suppresses addresses, shows them in pages, and removes them', async () => {
  for (const [at, Reason] of (['BOUNCE', 'COMPLAINT', 'BOUNCE'] as const).entries()) {
    await client.send(new PutSuppressedDestinationCommand({ EmailAddress: `A${at}+x@Listed.test`, Reason }));
  }
  await program.resend.suppressions.add({ email: 'manual@listed.test' });
  const seen: (string | undefined)[] = [];
  for (let NextToken: string | undefined, page = 0; page === 0 || NextToken !== undefined; page++) {
    const command = new ListSuppressedDestinationsCommand({ PageSize: 3, NextToken });
    const listed = await client.send(command);
    seen.push(...(listed.SuppressedDestinationSummaries ?? []).map((one) => `${one.EmailAddress} ${one.Reason}`));
    ({ NextToken } = listed);
  }
  expect(seen).toEqual([
    'manual@listed.test COMPLAINT',
    'a2+x@listed.test BOUNCE',
    'a1+x@listed.test COMPLAINT',
    'a0+x@listed.test BOUNCE',
  ]);
  const addresses = async (given: object) =>
    (await client.send(new ListSuppressedDestinationsCommand(given))).SuppressedDestinationSummaries?.map(
      ({ EmailAddress }) => EmailAddress?.slice(0, 2),
    );
  expect(await addresses({ Reasons: ['BOUNCE'] })).toEqual(['a2', 'a0']);
  expect(await addresses({ Reasons: ['BOUNCE', 'COMPLAINT'] })).toHaveLength(4);
  expect(await addresses({ StartDate: new Date(Date.now() + 60_000) })).toEqual([]);
  expect(await addresses({ EndDate: new Date(Date.now() + 60_000) })).toHaveLength(4);

  const EmailAddress = 'A0+x@listed.test';
  const found = await client.send(new GetSuppressedDestinationCommand({ EmailAddress }));
  expect(found.SuppressedDestination).toMatchObject({ EmailAddress: 'a0+x@listed.test', Reason: 'BOUNCE' });
  expect(Math.abs(Date.now() - (found.SuppressedDestination?.LastUpdateTime?.getTime() ?? 0))).toBeLessThan(60_000);
  await client.send(new DeleteSuppressedDestinationCommand({ EmailAddress }));
  const nameOf = async (asked: Promise<unknown>) => (await refusalOf(asked)).name;
  expect(await nameOf(client.send(new GetSuppressedDestinationCommand({ EmailAddress })))).toBe('NotFoundException');
  expect(await nameOf(client.send(new DeleteSuppressedDestinationCommand({ EmailAddress })))).toBe('NotFoundException');
  const [{ id = '' } = {}] = (await program.resend.suppressions.list()).data?.data ?? [];
  expect(await nameOf(client.send(new GetSuppressedDestinationCommand({ EmailAddress: id })))).toBe(
    'NotFoundException',
  );
  const put = (given: object) => new PutSuppressedDestinationCommand({ EmailAddress, Reason: 'BOUNCE', ...given });
  expect(await nameOf(client.send(put({ EmailAddress: 'none' })))).toBe('BadRequestException');
  expect(await nameOf(client.send(put({ Reason: 'MANUAL' })))).toBe('BadRequestException');
  expect(await nameOf(client.send(new ListSuppressedDestinationsCommand({ NextToken: 'x' })))).toBe(
    'BadRequestException',
  );
  expect(await nameOf(client.send(new ListSuppressedDestinationsCommand({ PageSize: 1_001 })))).toBe(
    'BadRequestException',
  );
});

it('shows the domains of the team as identities', async () => {
  const { EmailIdentities } = await client.send(new ListEmailIdentitiesCommand({}));
  expect(EmailIdentities).toEqual([
    {
      IdentityType: 'DOMAIN',
      IdentityName: 'sandbox.postrider.test',
      SendingEnabled: true,
      VerificationStatus: 'SUCCESS',
    },
  ]);
  const EmailIdentity = 'sandbox.postrider.test';
  expect(await client.send(new GetEmailIdentityCommand({ EmailIdentity }))).toMatchObject({
    IdentityType: 'DOMAIN',
    VerifiedForSendingStatus: true,
    DkimAttributes: { SigningEnabled: true, Status: 'SUCCESS' },
  });
});

it('shows and changes nothing of another team, and a key that only sends shows nothing', async () => {
  const EmailAddress = 'a1+x@listed.test';
  const outcomes = async (by: SESv2Client): Promise<unknown[]> => {
    const asked = [
      () => by.send(new GetSuppressedDestinationCommand({ EmailAddress })),
      () => by.send(new DeleteSuppressedDestinationCommand({ EmailAddress })),
      () => by.send(new GetEmailIdentityCommand({ EmailIdentity: 'sandbox.postrider.test' })),
      () => by.send(new ListSuppressedDestinationsCommand({})).then((page) => page.SuppressedDestinationSummaries),
      () => by.send(new ListEmailIdentitiesCommand({})).then((page) => page.EmailIdentities),
      () => by.send(new PutSuppressedDestinationCommand({ EmailAddress: 'theirs@listed.test', Reason: 'BOUNCE' })),
    ];
    const settled: unknown[] = [];
    for (const ask of asked) settled.push(await ask().catch(({ name }: Error) => name));
    return settled;
  };
  const missing = 'NotFoundException';
  expect(await outcomes(theirs)).toEqual([missing, missing, missing, [], [], expect.anything()]);
  expect(await client.send(new GetSuppressedDestinationCommand({ EmailAddress }))).toBeTruthy();
  expect(
    (await refusalOf(client.send(new GetSuppressedDestinationCommand({ EmailAddress: 'theirs@listed.test' })))).name,
  ).toBe(missing);
  expect(await outcomes(sending)).toEqual(Array(6).fill('AccessDeniedException'));
  const nobody = clientOf({ ...credentials, accessKeyId: newId() });
  expect(await outcomes(nobody)).toEqual(Array(6).fill('SignatureDoesNotMatch'));
});

itUnless(whyNo('python3', '-c', 'import boto3'))('boto3 does the same', async () => {
  const { stdout } = await promisify(execFile)('python3', [
    'test/support/clients/boto3-ses-management.py',
    ...[`${program.url}/ses`, credentials.accessKeyId, credentials.secretAccessKey, testSender],
  ]);
  expect(JSON.parse(stdout)).toEqual({
    bulk: ['SUCCESS', 'MESSAGE_REJECTED'],
    suppressed: 'COMPLAINT',
    pages: [1, 1],
    removed: 'NotFoundException NotFoundException',
    identities: ['sandbox.postrider.test'],
    verified: true,
  });
  expect((await PostalMime.parse((await wires.arrivalTo('bulk@boto.test')).content)).subject).toBe('Welcome Ada');
});
