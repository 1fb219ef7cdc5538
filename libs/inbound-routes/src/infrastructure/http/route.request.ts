import { parseEmailAddress, ValidationError } from '#kernel';
import { decodeBody } from '#platform/http';
import { ApiProperty, ApiPropertyOptional } from '#platform/openapi';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
} from 'class-validator';
import { RouteChanges } from '../../application/ports/route-repository.port.js';
import { NewRoute } from '../../application/manage-routes.use-case.js';
import { conditionTests, HeaderValue } from '../../domain/header-condition.js';
import {
  parseAction,
  parseConditions,
  parseRecipient,
  parseRouteName,
  RequestedCondition,
} from '../../domain/new-route.js';
import { maxConditions, maxForwards, maxRoutes } from '../../domain/route.js';

const positionMessage = { message: `The \`position\` must be a number between 1 and ${maxRoutes}.` };
const conditionsMessage = { message: 'The `conditions` field must be an array of objects.' };

export class RouteConditionRequest {
  @ApiProperty({ type: String }) header!: string;
  @ApiPropertyOptional({ type: String, enum: conditionTests, default: 'contains' }) test?: string;
  @ApiPropertyOptional({ type: String, maxLength: 500 }) value?: string;
  @ApiPropertyOptional({ type: Boolean, default: false }) not?: boolean;
}

export class RouteActionRequest {
  @ApiProperty({ type: String, enum: ['webhook', 'forward', 'smtp', 'lmtp', 'reject', 'drop'] }) type!: string;
  @ApiPropertyOptional({ type: [String], minItems: 1, maxItems: maxForwards }) to?: string[];
  @ApiPropertyOptional({ type: String }) host?: string;
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 65_535 }) port?: number;
  @ApiPropertyOptional({ type: String, maxLength: 400 }) text?: string;
}

/** Fields that both requests may leave out. A field that one of them requires cannot be here: `@IsOptional()` is inherited. */
abstract class RouteFields {
  @ApiPropertyOptional({ type: String, maxLength: 100 })
  @IsOptional()
  @IsString({ message: 'The `name` field must be a string.' })
  name?: string;

  @ApiPropertyOptional({ type: [RouteConditionRequest], maxItems: maxConditions })
  @IsOptional()
  @IsArray(conditionsMessage)
  @ArrayMaxSize(maxConditions, { message: `A route may have at most ${maxConditions} \`conditions\`.` })
  @IsObject({ ...conditionsMessage, each: true })
  conditions?: RequestedCondition[];

  @ApiPropertyOptional({ type: Boolean })
  @IsOptional()
  @IsBoolean({ message: 'The `continue` field must be a boolean.' })
  continue?: boolean;

  @ApiPropertyOptional({ type: Boolean })
  @IsOptional()
  @IsBoolean({ message: 'The `enabled` field must be a boolean.' })
  enabled?: boolean;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: maxRoutes })
  @IsOptional()
  @IsInt(positionMessage)
  @Min(1, positionMessage)
  @Max(maxRoutes, positionMessage)
  position?: number;
}

/** Body of `PATCH /routes/{id}`. */
export class UpdateRouteRequest extends RouteFields {
  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @IsString({ message: 'The `recipient` field must be a string.' })
  recipient?: string;

  @ApiPropertyOptional({ type: RouteActionRequest })
  @IsOptional()
  @IsObject({ message: 'The `action` field must be an object.' })
  action?: RouteActionRequest;
}

/** Body of `POST /routes`. */
export class CreateRouteRequest extends RouteFields {
  @ApiProperty({ type: String })
  @IsDefined()
  @IsString({ message: 'The `recipient` field must be a string.' })
  recipient!: string;

  @ApiProperty({ type: RouteActionRequest })
  @IsDefined()
  @IsObject({ message: 'The `action` field must be an object.' })
  action!: RouteActionRequest;
}

/** Body of `POST /routes/explain`. */
export class ExplainRouteRequest {
  @ApiProperty({ type: String })
  @IsDefined()
  @IsString({ message: 'The `recipient` field must be a string.' })
  recipient!: string;

  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' } })
  @IsOptional()
  @IsObject({ message: 'The `headers` field must be an object.' })
  headers?: Record<string, unknown>;
}

const maxExplained = 100;

export function decodeNewRoute(body: unknown): NewRoute {
  const request = decodeBody(CreateRouteRequest, body);
  return {
    name: parseRouteName(request.name ?? ''),
    recipient: parseRecipient(request.recipient),
    conditions: parseConditions(request.conditions ?? []),
    action: parseAction(request.action),
    goesOn: request.continue ?? false,
    enabled: request.enabled ?? true,
    position: request.position,
  };
}

export function decodeRouteChanges(body: unknown): RouteChanges {
  const request = decodeBody(UpdateRouteRequest, body, ['name']);
  return {
    name: request.name === undefined ? undefined : parseRouteName(request.name),
    recipient: request.recipient === undefined ? undefined : parseRecipient(request.recipient),
    conditions: request.conditions === undefined ? undefined : parseConditions(request.conditions),
    action: request.action === undefined ? undefined : parseAction(request.action),
    goesOn: request.continue,
    enabled: request.enabled,
    position: request.position,
  };
}

export function decodeExplanation(body: unknown): {
  readonly address: string;
  readonly header: readonly HeaderValue[];
} {
  const { recipient, headers = {} } = decodeBody(ExplainRouteRequest, body);
  const parsed = parseEmailAddress(recipient.trim());
  if (parsed === undefined) {
    throw new ValidationError('The `recipient` must be an address such as `email@example.com`.');
  }
  const fields = Object.entries(headers);
  if (fields.length > maxExplained)
    throw new ValidationError(`The \`headers\` may have at most ${maxExplained} fields.`);
  const header = fields.map(([name, value]) => {
    if (typeof value !== 'string') throw new ValidationError('The values of the `headers` field must be strings.');
    return { name: name.toLowerCase(), value };
  });
  return { address: parsed.address, header };
}
