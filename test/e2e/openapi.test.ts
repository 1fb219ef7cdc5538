import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { startProgram, TestProgram } from '../support/program.js';

interface Described {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, { responses: Record<string, { content?: unknown }> }>>;
}

let program: TestProgram;
let described: Described;

beforeAll(async () => {
  program = await startProgram({}, new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()));
  described = (await (await fetch(`${program.url}/openapi.json`)).json()) as Described;
});

afterAll(() => program.stop());

describe('the description of the API', () => {
  it('has the endpoints, and not those that are none of the customers’', () => {
    expect(described.openapi).toMatch(/^3\./);
    const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations).toEqual(
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
    expect(operations.filter((operation) => /healthz| \/metrics$|docs|openapi|shared|inbox/.test(operation))).toEqual(
      [],
    );
  });

  it('names the fields of requests as the validation does', () => {
    const { components } = described as unknown as {
      components: { schemas: Record<string, { properties: object; required: string[] }> };
    };
    expect(Object.keys(components.schemas.SendEmailRequest?.properties ?? {})).toEqual(
      expect.arrayContaining(['from', 'to', 'cc', 'bcc', 'reply_to', 'subject', 'html', 'text', 'attachments', 'tags']),
    );
    expect(components.schemas.CreateApiKeyRequest?.required).toEqual(['name']);
  });

  it('describes what each endpoint answers', () => {
    const undescribed = Object.entries(described.paths)
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { responses }]) => ({ path, method, responses })),
      )
      .filter(
        ({ responses }) => !Object.entries(responses).some(([status, { content }]) => /^2/.test(status) && content),
      );
    expect(undescribed.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('is held against every answer that the end-to-end tests get', async () => {
    const schema = { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } };
    const response = { content: { 'application/json': { schema } } };
    const description = { paths: { '/things/{id}': { get: { responses: { 200: response } } } } };
    const answers: Record<string, unknown> = {
      '/openapi.json': description,
      '/things/good': { id: newId() },
      '/things/missing': {},
      '/things/wrong': { id: 7 },
      '/things/more': { id: newId(), secret: true },
    };
    const server = createServer((request, reply) => {
      const answer = answers[request.url ?? ''];
      reply.writeHead(answer === undefined ? 201 : 200, { 'content-type': 'application/json' });
      reply.end(JSON.stringify(answer ?? { id: newId() }));
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const get = (path: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
        headers: { authorization: 'Bearer re_x' },
      });
    try {
      expect((await get('/things/good')).status).toBe(200);
      for (const path of ['/things/missing', '/things/wrong', '/things/more']) {
        await expect(get(path)).rejects.toThrow('GET /things/{id} answers 200 otherwise than it is described');
      }
      await expect(get('/things/created')).rejects.toThrow('answers with status 201, which is not described');
    } finally {
      server.close().closeAllConnections();
    }
  });

  it('is also a page that loads nothing', async () => {
    const page = await fetch(`${program.url}/docs`);
    const text = await page.text();
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain('/suppressions/{idOrEmail}');
    expect(text).not.toMatch(/<script|<link|<img|src=|url\(/i);
  });
});
