import { applyDecorators, Type } from '@nestjs/common';
import { maxPageSize } from '#kernel';
import { ApiBody, ApiConsumes, ApiExtraModels, ApiQuery, ApiResponse } from './descriptions.js';

/** The response class of a handler. The end-to-end tests check every response against it. */
export function Responses(type: Type, status = 200): MethodDecorator {
  return applyDecorators(ApiResponse({ status, type }));
}

/** A complete list of `type` in the contract's list envelope, without page parameters. */
export function ResponsesAll(type: Type): MethodDecorator {
  return applyDecorators(...listOf(type));
}

/** A page of `type` in the contract's list envelope (docs/wire-contract.md section 1.5), with its three page parameters. `extra` are further fields of the envelope. */
export function ResponsesList(type: Type, extra: Readonly<Record<string, object>> = {}): MethodDecorator {
  const limit = { type: 'integer', minimum: 1, maximum: maxPageSize, default: 20 } as const;
  return applyDecorators(
    ...listOf(type, extra),
    ApiQuery({ name: 'limit', required: false, schema: limit }),
    ApiQuery({ name: 'after', required: false, schema: { type: 'string' } }),
    ApiQuery({ name: 'before', required: false, schema: { type: 'string' } }),
  );
}

function listOf(type: Type, extra: Readonly<Record<string, object>> = {}): MethodDecorator[] {
  const schema = {
    type: 'object',
    required: ['object', 'has_more', 'data'],
    properties: {
      object: { type: 'string', enum: ['list'] },
      has_more: { type: 'boolean' },
      data: { type: 'array', items: { $ref: `#/components/schemas/${type.name}` } },
      ...extra,
    },
  };
  return [ApiExtraModels(type), ApiResponse({ status: 200, schema })];
}

/** Field of a page that may have fewer items than asked for: from which id to go on. */
export const nextOfPage = {
  next: {
    type: 'string',
    format: 'uuid',
    nullable: true,
    description:
      'With a filter: the `after` (or `before`) of the next request; null after the last item. Absent without a filter.',
  },
} as const;

/** The class of the request body that a handler reads. */
export function Takes(type: Type, required = true): MethodDecorator {
  return ApiBody({ type, required });
}

/** The class of the form that a handler reads as `multipart/form-data`. */
export function TakesForm(type: Type): MethodDecorator {
  return applyDecorators(ApiConsumes('multipart/form-data'), ApiBody({ type, required: true }));
}

/** A handler that responds with a file. */
export function ResponsesFile(mediaType: string): MethodDecorator {
  return ApiResponse({ status: 200, content: { [mediaType]: { schema: { type: 'string' } } } });
}
