import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { deletesUnknown } from '../support/fakes/always-deleted.js';
import { sendAudienceExamples } from '../support/builders/audience-examples.js';
import { CheckedApi } from '../support/clients/checked-api.js';
import { DescribedDocument, DescribedOperation, operationsOf } from '../support/described/described-operations.js';
import { ExampleRequests } from '../support/described/example-requests.js';
import { furnishGuard } from '../support/builders/furnished-guard.js';
import { examplesOfThreads, sendInboxExamples } from '../support/builders/inbox-examples.js';
import { operatorOf, sendMachineRoomExamples } from '../support/builders/machine-room-examples.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { unrecordedChanges } from '../support/described/unrecorded-changes.js';
import { until } from '../support/runner/until.js';
import { addMember, firstTeam } from '../support/builders/users.js';

/**
 * The examples of the API's description are sent to the program unchanged, except for ids: these are replaced by ids
 * that earlier examples have created.
 */

let program: TestProgram;
let document: DescribedDocument;
let operations: ReadonlyMap<string, DescribedOperation>;
let otherKey: string;
let sendingKey: string;
let examples: ExampleRequests;
const send: ExampleRequests['send'] = (...request) => examples.send(...request);

beforeAll(async () => {
  program = await startProgram();
  document = (await (await fetch(`${program.url}/openapi.json`)).json()) as DescribedDocument;
  // The operations for people and operators take no API key: test/e2e/teams.test.ts and test/e2e/sessions.test.ts.
  const ofTeams = operationsOf(document).filter(({ tags }) => !tags.some((tag) => ['Me', 'Operator'].includes(tag)));
  operations = new Map(ofTeams.map((operation) => [operation.operationId, operation]));
  examples = new ExampleRequests(program, operations);
  otherKey = (await addSecondTeam(program.postrider.app)).apiKey;
  sendingKey = (await send('createApiKey', 'sending')).token as string;
});

afterAll(() => program.stop());

const uuid = '0193a1f4-0000-7000-8000-000000000000';
const unknownKey = { headers: { authorization: 'Bearer re_unknown' } };
const isSending = (operationId: string): boolean => /^(?:sendEmail|dryRunEmail)/.test(operationId);

describe('the examples of the description', () => {
  it('match their schemas', () => {
    const api = CheckedApi.describedBy(JSON.stringify(document));
    const faults: string[] = [];
    const check = (what: string, schema: object, value: unknown): void => {
      const fault = api.faultsOf(schema, value);
      if (fault !== undefined) faults.push(`${what}: ${fault}`);
    };
    for (const { operationId, parameters, request, responses } of operations.values()) {
      for (const { name, schema, example } of parameters) check(`${operationId} ${name}`, schema, example);
      for (const [name, { value }] of Object.entries(request?.examples ?? {}))
        check(`${operationId} ${name}`, request?.schema ?? {}, value);
      for (const [status, { content }] of Object.entries(responses)) {
        if (content.example !== undefined) check(`${operationId} ${status}`, content.schema, content.example);
        for (const { value } of Object.values(content.examples ?? {})) {
          check(`${operationId} ${status}`, content.schema, value);
          expect((value as { statusCode: number }).statusCode).toBe(Number(status));
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it('are accepted: domains, keys and claims', async () => {
    examples.useIdOf('createDomain', 201, await send('createDomain', 'name'));
    const { id } = await send('createDomain', 'settings');
    const values = { id: id as string };
    await send('updateDomain', 'tracking', { values });
    await send('updateDomain', 'tls', { values });
    for (const name of ['getDomain', 'verifyDomain', 'getDomainDiagnosis', 'listDkimKeys', 'rotateDkimKeys'])
      await send(name, undefined, { values });
    for (const name of ['getDomainDmarc', 'getDomainTlsReports', 'listDomainReports', 'getDomainInsights'])
      await send(name, undefined, { values });
    await furnishGuard(program, values.id);
    for (const name of ['getDomainGuard', 'listDomainGuardChanges']) await send(name, undefined, { values });
    await send('liftDomainGuard', 'google', { values });
    for (const name of ['default', 'schedule']) await send('startDomainWarmUp', name, { values });
    for (const name of ['getDomainWarmUp', 'endDomainWarmUp']) await send(name, undefined, { values });
    for (const name of ['listDomains', 'listRegions']) await send(name);
    for (const alias of ['', 'Alias']) {
      const claim = await send(`createDomainClaim${alias}`, 'name', { key: otherKey });
      const ofClaim = { values: { id: claim.domain_id as string }, key: otherKey };
      await send(`getDomainClaim${alias}`, undefined, ofClaim);
      await send(`verifyDomainClaim${alias}`, undefined, ofClaim);
    }
    for (const name of ['full', 'agent', 'drafts']) await send('createApiKey', name);
    const key = { values: { id: (await send('createApiKey', 'oneDomain')).id as string } };
    for (const name of ['name', 'rules']) await send('updateApiKey', name, key);
    await send('listApiKeys');
    await send('deleteApiKey', undefined, key);
    await send('deleteDomain', undefined, { values });
  });

  it('are accepted: emails, sandbox messages and webhooks', async () => {
    // As if the DNS had verified the domain. Its mail goes to the built-in inbox, and it receives for the inboxes below.
    await program.postrider.app.get(Database).execute({
      text: `UPDATE domains SET sandbox = true, receiving = true, status = 'verified' WHERE name = 'acme.example'`,
    });
    const webhook = { webhookId: (await send('createWebhook', 'outcomes')).id as string };
    const sent = { values: { id: (await send('sendEmail', 'simple')).id as string } };
    const scheduled = { values: { id: (await send('sendEmail', 'complete')).id as string } };
    await send('sendEmailBatch', 'two');
    await send('listEmails');
    for (const name of ['getEmail', 'getEmailTrace', 'previewEmail']) await send(name, undefined, sent);
    await send('listEmailEvents', undefined, { ...sent, without: [] });
    const [attachment] = (await send('listEmailAttachments', undefined, scheduled)).data as ParsedJson[];
    const ofAttachment = { values: { ...scheduled.values, attachmentId: attachment?.id as string } };
    await send('getEmailAttachment', undefined, ofAttachment);
    await send('shareEmail', 'twoHours', sent);
    await send('updateEmail', 'natural', scheduled);
    await send('cancelEmail', undefined, scheduled);
    await send('getEmailMetrics', undefined, { without: ['broadcast_id'] });
    await send('getEmailMetrics', undefined, { without: ['email_id'] });
    await send('getEmailBreakdown');
    await send('getUsage');
    await send('listReceivedEmails');

    const [message] = await until(() => examples.itemsOf('listSandboxMessages'));
    await send('getSandboxMessage', undefined, { values: { id: message?.id as string } });
    const [event] = await until(() => examples.itemsOf('listWebhookEvents', webhook));
    const ofEvent = { values: { ...webhook, eventId: event?.id as string } };
    for (const name of ['getWebhookEvent', 'listWebhookEventAttempts', 'replayWebhookEvent'])
      await send(name, undefined, ofEvent);
    await send('testWebhook', undefined, { values: webhook });
    for (const name of ['missed', 'all']) await send('replayWebhookEvents', name, { values: webhook });
    for (const name of ['events', 'disable']) await send('updateWebhook', name, { values: webhook });
    await send('listWebhooks');
    for (const name of ['getWebhook', 'rotateWebhookSecret', 'deleteWebhook'])
      await send(name, undefined, { values: webhook });
  });

  it('are accepted: templates', async () => {
    examples.useIdOf('createTemplate', 201, await send('createTemplate', 'variables'));
    await send('createTemplate', 'plain');
    await send('updateTemplate', 'html');
    for (const name of ['publishTemplate', 'duplicateTemplate', 'listTemplates', 'getTemplate', 'listTemplateVersions'])
      await send(name);
    await send('previewTemplate', 'values');
    await send('sendEmail', 'template');
    for (const example of ['simple', 'template']) await send('dryRunEmail', example);
    await send('removeTemplate');
    await send('getPreferencePage');
    await send('updatePreferencePage', 'look');
  });

  it('are accepted: suppressions and logs', async () => {
    examples.useIdOf('addSuppression', 201, await send('addSuppression', 'address'));
    for (const name of ['listSuppressions', 'getSuppression', 'removeSuppression']) await send(name);
    await send('addSuppressionBatch', 'two');
    for (const name of ['emails', 'ids']) await send('removeSuppressionBatch', name);
    for (const name of ['one', 'several']) await send('validateAddresses', name);
    const [log] = await until(() => examples.itemsOf('listLogs'));
    await send('getLog', undefined, { values: { logId: log?.id as string } });
  });

  it('are accepted: imports of contacts and filters of segments', async () => {
    const segment = await program.resend.segments.create({ name: 'Customers' });
    const topic = await program.resend.topics.create({ name: 'News', defaultSubscription: 'opt_in' });
    const grouped = operations.get('createContactImport')?.request?.examples?.grouped?.value;
    const { segments, topics } = grouped as Record<'segments' | 'topics', string>;
    const idIn = (text: string): string => (JSON.parse(text) as [{ id: string }])[0].id;
    examples.ownIds.set(idIn(segments), segment.data?.id as string).set(idIn(topics), topic.data?.id as string);
    for (const name of ['plain', 'mapped']) await send('createContactImport', name);
    const values = { id: (await send('createContactImport', 'grouped')).id as string };
    await send('listContactImports');
    for (const name of ['getContactImport', 'getRefusedRows']) await send(name, undefined, { values });
    await send('previewSegment', 'filter');
    await send('getSegmentMetrics', undefined, { values: {}, without: ['segment_id'] });
  });

  it('are accepted: the audience, broadcasts and privacy', () => sendAudienceExamples(examples));

  it('are accepted: team and audit log', async () => {
    const member = await addMember(program, await firstTeam(program), 'viewer');
    const values = { id: member.id };
    for (const name of ['getTeam', 'listMembers', 'search']) await send(name);
    for (const name of ['name', 'sender']) await send('updateTeam', name);
    await send('getMember', undefined, { values });
    await send('updateMember', 'role', { values });
    await send('removeMember', undefined, { values });
    const invitation = await send('inviteMember', 'developer');
    await send('listInvitations');
    await send('listOAuthGrants');
    await send('revokeInvitation', undefined, { values: { id: invitation.id as string } });
    await send('listAudit');
  });

  it('are accepted: routes', async () => {
    const created = [];
    for (const name of ['forward', 'tagged', 'drop']) created.push(await send('createRoute', name));
    const values = { id: created.at(-1)?.id as string };
    await send('explainRoute', 'address');
    await send('listRoutes');
    await send('getRoute', undefined, { values });
    await send('updateRoute', 'move', { values });
    await send('removeRoute', undefined, { values });
  });

  it('are accepted: inboxes', () => sendInboxExamples(send));

  it('are accepted: events and automations', async () => {
    const event = await send('createEvent', 'order');
    await send('listEvents');
    const named = { values: { idOrName: event.id as string } };
    await send('getEvent', undefined, named);
    for (const name of ['more', 'none']) await send('updateEvent', name, named);
    await send('sendEvent', 'order');
    await send('sendEventBatch', 'two');
    await send('listSeenEvents');
    await send('removeEvent', undefined, named);
    await send('tryAutomation', 'welcome');
    await send('rotateAutomationSecret');
    const { id } = await send('createAutomation', 'welcome');
    const values = { id: id as string };
    for (const name of ['listAutomations', 'listAutomationRuns']) await send(name, undefined, { values });
    for (const name of ['disable', 'settings', 'steps']) await send('updateAutomation', name, { values });
    for (const name of [
      'getAutomation',
      'getAutomationMetrics',
      'duplicateAutomation',
      'stopAutomation',
      'removeAutomation',
    ]) {
      await send(name, undefined, { values });
    }
  });

  it('are accepted: the editor', async () => {
    const segment = await program.resend.segments.create({ name: 'Readers' });
    const { data } = await program.resend.broadcasts.create({
      segmentId: segment.data?.id as string,
      from: 'a@acme.example',
      subject: 'News',
      html: '<p>Old</p>',
    });
    const example = operations.get('writeEditorContent')?.request?.examples?.broadcast?.value as {
      resource_id: string;
    };
    examples.ownIds.set(example.resource_id, data?.id as string);
    await send('writeEditorContent', 'broadcast');
    await send('getEditorContent');
    for (const name of ['document', 'mjml']) await send('renderDocument', name);
    for (const name of ['page', 'mjml']) await send('importHtml', name);
    const image = { values: { id: (await send('addImage', 'plain')).id as string } };
    for (const name of ['listImages', 'getImage']) await send(name, undefined, image);
    await send('updateImage', 'alt', image);
    await send('removeImage', undefined, image);
    for (const name of ['agent', 'tab']) await send('connectToEditor', name);
    for (const name of ['agent', 'tab']) await send('disconnectFromEditor', name);
    const kept = { values: { versionId: (await send('keepContentVersion', 'named')).id as string } };
    await send('renameContentVersion', 'name', kept);
    await send('listContentVersions');
    for (const name of ['getContentVersion', 'restoreContentVersion']) await send(name, undefined, kept);
    const saved = { values: { sectionId: (await send('saveSection', 'blocks')).id as string } };
    await send('listSavedSections');
    await send('updateSavedSection', 'name', saved);
    for (const name of ['getSavedSection', 'listSectionUses']) await send(name, undefined, saved);
    await send('applySavedSection', 'first', saved);
    await send('removeSavedSection', undefined, saved);
    await send('updateEditorStyles', 'brand');
    await send('getEditorStyles');
  });

  it('are accepted: the machine room, from an operator', () => sendMachineRoomExamples(program, send));

  it('each change is in the audit log, under the name of its path', async () => {
    expect(await unrecordedChanges(program, document)).toEqual([]);
  });

  it('have all been sent', () => {
    const all = [...operations.values()].flatMap(({ operationId, request }) =>
      request === undefined
        ? [`${operationId} `]
        : Object.keys(request.examples ?? {}).map((example) => `${operationId} ${example}`),
    );
    // Each has a test of its own where there is what it needs.
    const untried = {
      // Its response does not end.
      'e2e/live': ['streamLiveUpdates '],
      // A key has not authorized a tool, and does not own a team.
      'e2e/oauth': ['revokeOAuthGrant '],
      'e2e/teams': ['transferTeam owner'],
      'e2e/receiving': [
        ...['getReceivedEmail ', 'replayReceivedEmail ', 'listReceivedEmailAttachments '],
        'getReceivedEmailAttachment ',
      ],
      'e2e/inbound-routes': ['listRoutingResults '],
      'e2e/inbox-threads': examplesOfThreads,
      'e2e/inbox-drafts': [
        ...['createInboxDraft new', 'listInboxDrafts ', 'getInboxDraft ', 'updateInboxDraft text', 'removeInboxDraft '],
        ...['sendInboxDraft plain', 'replyToInboxEmail text', 'forwardInboxEmail colleague'],
      ],
      'e2e/automation-runs': ['cancelAutomationRun ', 'getAutomationRun '],
      'e2e/seen-events': ['getSeenEvent '],
      'e2e/email-preview': ['getEmailSource '],
      'e2e/email-insights': ['getEmailInsights '],
      // It asks for a link.
      'e2e/dry-run': ['dryRunEmail links'],
      'e2e/broadcast-mail': ['listContactBroadcasts '],
      'e2e/sending-pools': ['useSendingPool tag'],
    };
    expect(all.filter((example) => !examples.tried.has(example)).sort()).toEqual(Object.values(untried).flat().sort());
  });
});

describe('the refusals of the description', () => {
  type Refuse = (operation: DescribedOperation) => { status: number; request: RequestInit; path?: string } | undefined;

  const json = { 'content-type': 'application/json' };
  const example = ({ request }: DescribedOperation): string | undefined => {
    const [first] = Object.values(request?.examples ?? {});
    return first === undefined ? undefined : JSON.stringify(first.value);
  };

  it.each<[string, Refuse]>([
    ['no API key', () => ({ status: 401, request: { headers: { authorization: '' } } })],
    ['an unknown API key', ({ operationId }) => ({ status: isSending(operationId) ? 401 : 400, request: unknownKey })],
    [
      'a key that may only send',
      ({ operationId }) =>
        /^(?:sendEmail|dryRunEmail|(?:send|resume|test)Broadcast)/.test(operationId)
          ? undefined
          : { status: 401, request: { headers: { authorization: `Bearer ${sendingKey}` } } },
    ],
    [
      'a body that is not JSON',
      ({ method }) => (method === 'GET' ? undefined : { status: 400, request: { headers: json, body: '{' } }),
    ],
    [
      'a body of another type',
      ({ method }) =>
        method === 'GET'
          ? undefined
          : { status: 422, request: { headers: { 'content-type': 'text/html' }, body: '{}' } },
    ],
    [
      'a malformed id',
      (operation) => {
        // An inbox may be named by its address.
        const [first] = operation.parameters.filter(
          ({ name, ...parameter }) => parameter.in === 'path' && name !== 'inbox',
        );
        if (first === undefined || /^idOr|^name$/.test(first.name)) return undefined;
        const request = { headers: json, body: example(operation) };
        return { status: 422, request, path: operation.pathWith({ [first.name]: 'not-a-uuid' }) };
      },
    ],
    [
      'an unknown id',
      (operation) => {
        const parameters = operation.parameters.filter((parameter) => parameter.in === 'path');
        if (parameters.length === 0 || deletesUnknown.includes(operation.operationId)) return undefined;
        const values = Object.fromEntries(
          parameters.map(({ name }) => [name, name === 'eventId' ? `msg_${uuid.replaceAll('-', '')}` : uuid]),
        );
        return {
          status: 404,
          request: { headers: json, body: example(operation) },
          path: `${operation.pathWith(values)}${operation.requiredQuery}`,
        };
      },
    ],
    [
      'a limit that is too large',
      ({ parameters, path }) =>
        parameters.some(({ name }) => name === 'limit') && !path.includes('{')
          ? { status: 422, request: {}, path: `${path}?limit=1000` }
          : undefined,
    ],
  ])('are what %s gets', async (_, refuse) => {
    const { browser, teamId } = await operatorOf(program);
    for (const operation of operations.values()) {
      const refused = refuse(operation);
      if (refused === undefined) continue;
      const { status, request, path = operation.pathWith() } = refused;
      const isGet = operation.method === 'GET';
      const init = { method: operation.method, ...request, ...(isGet ? { body: undefined } : {}) };
      // The machine room takes no key. What is refused without looking at the path is refused before.
      const isForOperator = operation.path.startsWith('/machine-room/') && refused.path !== undefined;
      const response = isForOperator
        ? await browser.request(path, {
            method: init.method,
            headers: { 'x-team': teamId },
            body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
          })
        : await program.request(path, init);
      const body: unknown = await response.json();
      expect({ operation: operation.operationId, status: response.status, body }).toMatchObject({ status });
      expect(operation.errors(status)).toContainEqual(body);
    }
  });
});
