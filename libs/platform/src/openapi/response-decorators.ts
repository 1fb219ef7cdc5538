import { applyDecorators, Type } from '@nestjs/common';
import { maxPageSize } from '#kernel';
import { ApiBody, ApiExtraModels, ApiQuery, ApiResponse } from './descriptions.js';

/** What a handler answers with; the end-to-end tests hold every answer against it. */
export function Responses(type: Type, status = 200): MethodDecorator {
  return applyDecorators(ApiResponse({ status, type }));
}

/** All there is of `type` in the contract's envelope of lists. */
export function ResponsesAll(type: Type): MethodDecorator {
  return applyDecorators(...listOf(type));
}

/** A list of `type` in the contract's envelope (docs/wire-contract.md section 1.5), with its three parameters. */
export function ResponsesList(type: Type): MethodDecorator {
  const limit = { type: 'integer', minimum: 1, maximum: maxPageSize, default: 20 } as const;
  return applyDecorators(
    ...listOf(type),
    ApiQuery({ name: 'limit', required: false, schema: limit }),
    ApiQuery({ name: 'after', required: false, schema: { type: 'string' } }),
    ApiQuery({ name: 'before', required: false, schema: { type: 'string' } }),
  );
}

function listOf(type: Type): MethodDecorator[] {
  const schema = {
    type: 'object',
    required: ['object', 'has_more', 'data'],
    properties: {
      object: { type: 'string', enum: ['list'] },
      has_more: { type: 'boolean' },
      data: { type: 'array', items: { $ref: `#/components/schemas/${type.name}` } },
    },
  };
  return [ApiExtraModels(type), ApiResponse({ status: 200, schema })];
}

/** The body that a handler reads. */
export function Takes(type: Type, required = true): MethodDecorator {
  return ApiBody({ type, required });
}
