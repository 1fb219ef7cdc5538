import { applyDecorators, Type } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiProperty, ApiQuery, ApiResponse } from './descriptions.js';

/** The body of every refusal (api-contract section 3.1). */
export class ErrorAnswer {
  @ApiProperty({ type: 'integer', example: 422 })
  statusCode!: number;

  @ApiProperty({ type: String, example: 'Missing `to` field.' })
  message!: string;

  @ApiProperty({ type: String, example: 'missing_required_field' })
  name!: string;
}

const refusals = [
  ApiExtraModels(ErrorAnswer),
  ApiResponse({ status: 'default', description: 'A refusal', type: ErrorAnswer }),
];

/** What a handler answers with; the end-to-end tests hold every answer against it. */
export function Answers(type: Type, status = 200): MethodDecorator {
  return applyDecorators(ApiResponse({ status, description: 'Done', type }), ...refusals);
}

/** All there is of `type` in the contract's envelope of lists. */
export function AnswersAll(type: Type): MethodDecorator {
  return applyDecorators(...listOf(type, 'All of them'));
}

/** A list of `type` in the contract's envelope (api-contract section 1.5), with its three parameters. */
export function AnswersList(type: Type): MethodDecorator {
  return applyDecorators(
    ...listOf(type, 'A page, newest first'),
    ApiQuery({ name: 'limit', required: false, schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } }),
    ApiQuery({
      name: 'after',
      required: false,
      schema: { type: 'string' },
      description: 'Id of the item before the page',
    }),
    ApiQuery({
      name: 'before',
      required: false,
      schema: { type: 'string' },
      description: 'Id of the item behind the page',
    }),
  );
}

function listOf(type: Type, description: string): MethodDecorator[] {
  const schema = {
    type: 'object',
    required: ['object', 'has_more', 'data'],
    properties: {
      object: { type: 'string', enum: ['list'] },
      has_more: { type: 'boolean' },
      data: { type: 'array', items: { $ref: `#/components/schemas/${type.name}` } },
    },
  };
  return [ApiExtraModels(type), ApiResponse({ status: 200, description, schema }), ...refusals];
}

/** The body that a handler reads. */
export function Takes(type: Type, required = true): MethodDecorator {
  return ApiBody({ type, required });
}
