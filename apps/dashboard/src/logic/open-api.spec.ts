import { expect, it } from '@jest/globals';
import { operationsOf, pathWith, type ApiDocument } from './open-api.js';

const document: ApiDocument = {
  paths: {
    '/things/{id}': {
      post: {
        operationId: 'changeThing',
        summary: 'Change a thing',
        tags: ['Things'],
        parameters: [
          { name: 'id', in: 'path' },
          { name: 'q', in: 'query' },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Thing' },
              examples: { one: { value: { a: 1 } } },
            },
          },
        },
        responses: { 200: { description: 'Done.', content: {} }, 404: { $ref: '#/components/responses/Missing' } },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        required: ['kind'],
        properties: {
          kind: { enum: ['a', 'b'] },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
        },
      },
    },
    responses: { Missing: { description: 'Missing.' } },
  },
};

it('operations have their fields, examples and refusals, and a schema that contains itself ends', () => {
  const [operation] = operationsOf(document);
  expect(operation).toMatchObject({ id: 'changeThing', method: 'POST', tag: 'Things' });
  expect(operation?.body?.fields.map(({ name, type, required }) => [name, type, required])).toEqual([
    ['kind', '"a" | "b"', true],
    ['parts', 'any[]', false],
  ]);
  expect(operation?.body?.fields[1]?.fields[1]?.fields[1]?.fields).toEqual([]);
  expect(operation?.responses.map(({ status, description }) => [status, description])).toEqual([
    ['200', 'Done.'],
    ['404', 'Missing.'],
  ]);
});

it('a path is filled with what was entered', () => {
  const [operation] = operationsOf(document);
  expect(pathWith('/things/{id}', operation?.parameters ?? [], { id: 'a/b', q: '' })).toBe('/things/a%2Fb');
  expect(pathWith('/things/{id}', operation?.parameters ?? [], { id: '1', q: 'x y' })).toBe('/things/1?q=x+y');
});
