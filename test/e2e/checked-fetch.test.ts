import { createServer, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '#kernel';

const json = (schema: object, examples?: object): object => ({ content: { 'application/json': { schema, examples } } });
const thing = { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } };
const refusal = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

const description = {
  paths: {
    '/things/{id}': {
      get: {
        responses: {
          200: json(thing),
          404: { $ref: '#/components/responses/NotFound' },
          422: json({ $ref: '#/components/schemas/Refusal' }, { x: { value: { name: 'validation_error' } } }),
        },
      },
    },
  },
  components: {
    schemas: { Refusal: refusal },
    responses: {
      NotFound: json({ $ref: '#/components/schemas/Refusal' }, { x: { value: { name: 'not_found' } } }),
    },
  },
};

const responses: Record<string, [status: number, body: unknown]> = {
  '/openapi.json': [200, description],
  '/things/good': [200, { id: newId() }],
  '/things/missing': [200, {}],
  '/things/wrong': [200, { id: 7 }],
  '/things/more': [200, { id: newId(), secret: true }],
  '/things/created': [201, { id: newId() }],
  '/things/none': [404, { name: 'not_found' }],
  '/things/invalid': [422, { name: 'validation_error' }],
  '/things/nameless': [404, {}],
  '/things/strange': [404, { name: 'strange' }],
  '/things/refused': [409, { name: 'resource_locked' }],
};

let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    const [status, body] = responses[request.url ?? ''] ?? [500, {}];
    // On a slow machine a keep-alive connection may end just as the next request is sent over it.
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
});

afterAll(() => server.close().closeAllConnections());

function get(path: string, headers: Record<string, string> = { authorization: 'Bearer re_x' }): Promise<Response> {
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { headers });
}

it.each(['good', 'none', 'invalid'])('a response that matches the description is passed on: %s', async (name) => {
  expect((await get(`/things/${name}`)).status).toBe(responses[`/things/${name}`]?.[0]);
});

it.each([
  ['without a field', 'missing', 'GET /things/{id} answers 200 otherwise than it is described'],
  ['with a wrong field', 'wrong', 'GET /things/{id} answers 200 otherwise than it is described'],
  ['with an additional field', 'more', 'GET /things/{id} answers 200 otherwise than it is described'],
  ['with another success status', 'created', 'answers with status 201, which is not described'],
  ['with another error status', 'refused', 'answers with status 409, which is not described'],
  ['without the fields of an error', 'nameless', 'GET /things/{id} answers 404 otherwise than it is described'],
  ['with another name', 'strange', 'answers 404 with the name strange, which is not described'],
])('a response %s fails the test that received it', async (_, name, message) => {
  await expect(get(`/things/${name}`)).rejects.toThrow(message);
});

it('requests without an API key are checked as well, once the description has been read', async () => {
  await get('/things/good');
  await expect(get('/things/refused', {})).rejects.toThrow('which is not described');
});
