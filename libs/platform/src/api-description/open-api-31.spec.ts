import { describe, expect, it } from '@jest/globals';
import { schemaOf31 } from './open-api-31.js';

describe('a schema of OpenAPI 3.0 as one of 3.1', () => {
  it.each<[string, unknown, unknown]>([
    ['has null as a type', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      'has null among the values of an enum',
      { type: 'string', enum: ['a'], nullable: true },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [
      'has a reference or null',
      { allOf: [{ $ref: '#/components/schemas/Thing' }], nullable: true, description: 'A thing' },
      { anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }], description: 'A thing' },
    ],
    [
      'has a reference with its type or null',
      { type: 'object', allOf: [{ $ref: '#/components/schemas/Thing' }], nullable: true },
      { anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] },
    ],
    [
      'has any of several or null',
      { oneOf: [{ type: 'string' }, { type: 'integer' }], nullable: true },
      { anyOf: [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, { type: 'null' }] },
    ],
    ['is not changed where nothing may be null', { type: 'string', nullable: false }, { type: 'string' }],
    ['has a list of examples', { type: 'integer', example: 7 }, { type: 'integer', examples: [7] }],
    ['has exclusive bounds as numbers', { minimum: 0, exclusiveMinimum: true }, { exclusiveMinimum: 0 }],
    ['keeps inclusive bounds', { maximum: 9, exclusiveMaximum: false }, { maximum: 9 }],
    [
      'keeps fields with the names of keywords',
      { properties: { nullable: { type: 'boolean' }, example: { type: 'string', nullable: true } } },
      { properties: { nullable: { type: 'boolean' }, example: { type: ['string', 'null'] } } },
    ],
    [
      'is converted at every depth',
      { type: 'array', items: { properties: { at: { type: 'string', nullable: true } } } },
      { type: 'array', items: { properties: { at: { type: ['string', 'null'] } } } },
    ],
    [
      'does not convert values',
      { default: { nullable: true }, enum: [null] },
      { default: { nullable: true }, enum: [null] },
    ],
  ])('%s', (_, before, after) => {
    expect(schemaOf31(before)).toEqual(after);
  });
});
