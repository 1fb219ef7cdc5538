import { webhookEventTypes } from '#events';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { deletesUnknown } from '../support/fakes/always-deleted.js';
import { CheckedApi } from '../support/clients/checked-api.js';
import { DescribedDocument, DescribedOperation, operationsOf } from '../support/described/described-operations.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { describedApiText, openApiFile } from '../../scripts/generate/write-openapi.js';

let program: TestProgram;
let described: DescribedDocument;
let operations: readonly DescribedOperation[];

beforeAll(async () => {
  program = await startProgram({}, new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()));
  described = (await (await fetch(`${program.url}/openapi.json`)).json()) as DescribedDocument;
  operations = operationsOf(described);
});

afterAll(() => program.stop());

describe('the description of the API', () => {
  it('has the endpoints for customers, and no others', () => {
    expect(described.openapi).toMatch(/^3\.1\.\d$/);
    const routes = operations.map(({ method, path }) => `${method} ${path}`);
    expect(routes).toEqual(
      expect.arrayContaining([
        'POST /emails',
        'GET /emails',
        'GET /emails/{id}',
        'POST /emails/{id}/share',
        'GET /emails/{id}/attachments',
        'GET /emails/{id}/attachments/{attachmentId}',
        'POST /api-keys',
        'PATCH /api-keys/{id}',
        'DELETE /suppressions/{idOrEmail}',
        'POST /suppressions/batch/remove',
        'GET /logs/{logId}',
      ]),
    );
    expect(routes.filter((route) => /healthz| \/metrics$|docs|openapi|shared|\/inbox\b/.test(route))).toEqual([]);
  });

  it('names the fields of requests as the validation does', () => {
    const schemas = described.components.schemas as Record<string, { properties: object; required: string[] }>;
    expect(Object.keys(schemas.SendEmailRequest?.properties ?? {})).toEqual(
      expect.arrayContaining(['from', 'to', 'cc', 'bcc', 'reply_to', 'subject', 'html', 'text', 'attachments', 'tags']),
    );
    expect(schemas.CreateApiKeyRequest?.required).toEqual(['name']);
  });

  it('names all refusals, also that of a method which a path does not have', () => {
    const { ErrorResponse } = described.components.schemas as Record<
      string,
      { properties: { name: { enum: string[] } } }
    >;
    expect(ErrorResponse?.properties.name.enum).toContain('method_not_allowed');
  });

  it('gives each operation a unique and stable id that is a valid name in every language', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]{3,40}$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(stableIds));
  });

  it('describes the payload of every event of which webhooks tell', () => {
    expect(Object.keys(described.webhooks).sort()).toEqual([...webhookEventTypes, 'webhook.test'].sort());
    const api = CheckedApi.describedBy(JSON.stringify(described));
    const examples = Object.values(described.webhooks).map(({ post }) => post.requestBody.content['application/json']);
    expect(examples.map((content) => api.faultsOfPayload(content?.example as { type: string }))).toEqual(
      examples.map(() => undefined),
    );
  });

  it('leaves nothing without a description', () => {
    const missing: string[] = [];
    const requireText = (text: unknown, what: string): void => {
      if (typeof text !== 'string' || text.length < 5) missing.push(what);
    };
    for (const { operationId, summary, description, tags, parameters, request, responses } of operations) {
      requireText(summary, `${operationId}: summary`);
      requireText(description, `${operationId}: description`);
      if (!described.tags.some(({ name, description: text }) => tags[0] === name && text !== ''))
        missing.push(tags[0]!);
      for (const { name, description: text, example } of parameters) {
        requireText(text, `${operationId} ${name}`);
        if (example === undefined) missing.push(`${operationId} ${name}: example`);
      }
      if (request !== undefined && Object.keys(request.examples ?? {}).length === 0)
        missing.push(`${operationId}: request`);
      for (const [status, { description: text, content }] of Object.entries(responses)) {
        requireText(text, `${operationId} ${status}`);
        if (content.example === undefined && content.examples === undefined)
          missing.push(`${operationId} ${status}: example`);
      }
    }
    for (const [name, schema] of Object.entries(described.components.schemas))
      missing.push(...undescribed(schema, name));
    expect(missing).toEqual([]);
  });

  it('says that headers and query parameters may be left out', () => {
    const required = operations.flatMap(({ operationId, parameters }) =>
      parameters
        .filter((parameter) => parameter.in !== 'path' && parameter.required)
        .map(({ name }) => `${operationId} ${name}`),
    );
    // Without it there is nothing to list.
    expect(required).toEqual([
      'listBroadcastRecipients type',
      ...['getEditorContent resource_id', 'getEditorContent resource_type'],
      ...['listContentVersions resource_id', 'listContentVersions resource_type'],
    ]);
    expect(operations.find(({ operationId }) => operationId === 'sendEmail')?.parameters).toMatchObject([
      { name: 'idempotency-key', in: 'header', required: false },
    ]);
  });

  it('has the error statuses of each operation', () => {
    for (const { operationId, method, path, responses } of operations) {
      const statuses = Object.keys(responses);
      const wanted = ['401', '429', '500', '503', ...(method === 'GET' ? [] : ['400', '413', '422'])];
      expect([operationId, ...statuses]).toEqual(expect.arrayContaining([operationId, ...wanted]));
      if (/\{(?!idOr)/.test(path) && !deletesUnknown.includes(operationId))
        expect(statuses).toEqual(expect.arrayContaining(['404', '422']));
      expect(statuses).not.toContain('default');
    }
  });

  it('is also the file from which clients are generated (`npm run docs:openapi` writes it)', async () => {
    expect(JSON.parse(await readFile(openApiFile, 'utf8'))).toEqual(described);
    expect(await describedApiText()).toBe(await readFile(openApiFile, 'utf8'));
  });
});

/** Generated clients have functions of these names. */
const stableIds = [
  ...['sendEmail', 'sendEmailBatch', 'listEmails', 'getEmail', 'updateEmail', 'cancelEmail', 'shareEmail'],
  ...['listEmailEvents', 'getEmailTrace', 'listEmailAttachments', 'getEmailAttachment', 'getEmailMetrics', 'getUsage'],
  ...['createDomain', 'listDomains', 'getDomain', 'updateDomain', 'deleteDomain', 'verifyDomain', 'getDomainDiagnosis'],
  ...['listRegions', 'listDkimKeys', 'rotateDkimKeys', 'createDomainClaim', 'getDomainClaim', 'verifyDomainClaim'],
  ...['createDomainClaimAlias', 'getDomainClaimAlias', 'verifyDomainClaimAlias'],
  ...['createApiKey', 'listApiKeys', 'updateApiKey', 'deleteApiKey', 'listLogs', 'getLog'],
  ...['addSuppression', 'listSuppressions', 'addSuppressionBatch', 'removeSuppressionBatch', 'getSuppression'],
  ...['removeSuppression', 'createWebhook', 'listWebhooks', 'getWebhook', 'updateWebhook', 'deleteWebhook'],
  ...['rotateWebhookSecret', 'listWebhookEvents', 'replayWebhookEvents', 'getWebhookEvent', 'listWebhookEventAttempts'],
  ...['replayWebhookEvent', 'listSandboxMessages', 'getSandboxMessage'],
  ...['listReceivedEmails', 'getReceivedEmail', 'listReceivedEmailAttachments', 'getReceivedEmailAttachment'],
];

interface DescribedSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, DescribedSchema>>;
  readonly items?: DescribedSchema;
}

/** The schema and its fields, at every depth, that have no description. */
function undescribed(schema: DescribedSchema, name: string, isField = false): string[] {
  const own = schema.description === undefined ? [name] : [];
  const fields = Object.entries(schema.properties ?? {}).flatMap(([key, field]) =>
    undescribed(field, `${name}.${key}`, true),
  );
  const items =
    schema.items?.properties === undefined ? [] : undescribed({ description: '', ...schema.items }, `${name}[]`);
  return [...own, ...fields, ...(isField ? items : [])];
}
