import { parseEmailAddress, ValidationError } from '#kernel';
import { decodeBody } from '#http/server';
import { Example, Field, OptionalField, Shape, Text } from '#http/openapi';
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
import { patternForms } from '../../domain/address-pattern.js';
import { RouteChanges } from '../../application/ports/route-repository.port.js';
import { NewRoute } from '../../application/routes.use-case.js';
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

@Shape('A condition on the header.')
export class RouteConditionRequest {
  @Text('Name of a header field.') header!: string;
  @OptionalField('How the field is compared, without regard to case.', { enum: conditionTests, default: 'contains' })
  test?: string;
  @OptionalField('Text to compare with; empty for `exists`.', { maxLength: 500 }) value?: string;
  @OptionalField('Whether the condition holds where the test does not.', { type: Boolean, default: false })
  not?: boolean;
}

@Shape('An action: its type, and the fields that the type needs.')
export class RouteActionRequest {
  @Field(
    '`webhook`: the event `email.received`. `forward`: to other addresses. `smtp`, `lmtp`: to a host of ' +
      'yours. `reject`: refuse the recipient. `drop`: accept the message and do nothing.',
    { enum: ['webhook', 'forward', 'smtp', 'lmtp', 'reject', 'drop'] },
  )
  type!: string;
  @OptionalField('Addresses to forward to; for `forward`.', { type: [String], minItems: 1, maxItems: maxForwards })
  to?: string[];
  @OptionalField('Host name or IP address; for `smtp` and `lmtp`. Private addresses need a permission of the operator.')
  host?: string;
  @OptionalField('Port; for `smtp` (25 by default) and `lmtp` (24 by default).', {
    type: 'integer',
    minimum: 1,
    maximum: 65_535,
  })
  port?: number;
  @OptionalField('Text of the refusal, one line of ASCII; for `reject`.', { maxLength: 400 }) text?: string;
}

/**
 * Fields that both requests may leave out. A field that one of them requires cannot be here: `@IsOptional()` is
 * inherited.
 */
abstract class RouteFields {
  @OptionalField('Name, for people.', { maxLength: 100 })
  @IsOptional()
  @IsString({ message: 'The `name` field must be a string.' })
  name?: string;

  @OptionalField('Conditions on the header; all of them must hold.', {
    type: [RouteConditionRequest],
    maxItems: maxConditions,
  })
  @IsOptional()
  @IsArray(conditionsMessage)
  @ArrayMaxSize(maxConditions, { message: `A route may have at most ${maxConditions} \`conditions\`.` })
  @IsObject({ ...conditionsMessage, each: true })
  conditions?: RequestedCondition[];

  @OptionalField('Whether the routes behind it are looked at as well where it matches.', { type: Boolean })
  @IsOptional()
  @IsBoolean({ message: 'The `continue` field must be a boolean.' })
  continue?: boolean;

  @OptionalField('Whether it is looked at.', { type: Boolean })
  @IsOptional()
  @IsBoolean({ message: 'The `enabled` field must be a boolean.' })
  enabled?: boolean;

  @OptionalField('Place in the order, from 1.', { type: 'integer', minimum: 1, maximum: maxRoutes })
  @IsOptional()
  @IsInt(positionMessage)
  @Min(1, positionMessage)
  @Max(maxRoutes, positionMessage)
  position?: number;
}

/** Body of `PATCH /routes/{id}`. */
@Shape('Changes of a route.')
@Example('move', 'To the front', { position: 1 })
export class UpdateRouteRequest extends RouteFields {
  @OptionalField(`Recipients that the route is for: ${patternForms}.`)
  @IsOptional()
  @IsString({ message: 'The `recipient` field must be a string.' })
  recipient?: string;

  @OptionalField('What to do.', { type: RouteActionRequest })
  @IsOptional()
  @IsObject({ message: 'The `action` field must be an object.' })
  action?: RouteActionRequest;
}

/** Body of `POST /routes`. */
@Shape('A route.')
@Example('forward', 'Forward an address', {
  recipient: 'support@acme.example',
  action: { type: 'forward', to: ['ada@customer.example'] },
})
@Example('tagged', 'Hand tagged addresses to a host', {
  name: 'Tickets',
  recipient: 'ticket+*@acme.example',
  action: { type: 'lmtp', host: 'tickets.acme.example', port: 24 },
  position: 1,
})
@Example('drop', 'Drop by subject', {
  recipient: '*@*.acme.example',
  conditions: [{ header: 'subject', test: 'starts_with', value: 'Out of office' }],
  action: { type: 'drop' },
})
export class CreateRouteRequest extends RouteFields {
  @Text(`Recipients that the route is for: ${patternForms}.`)
  @IsDefined()
  @IsString({ message: 'The `recipient` field must be a string.' })
  recipient!: string;

  @Field('What to do.', { type: RouteActionRequest })
  @IsDefined()
  @IsObject({ message: 'The `action` field must be an object.' })
  action!: RouteActionRequest;
}

/** Body of `POST /routes/explain`. */
@Shape('A message that might come.')
@Example('address', 'An address', { recipient: 'support@acme.example', headers: { Subject: 'Where is my order?' } })
export class ExplainRouteRequest {
  @Text('The address.')
  @IsDefined()
  @IsString({ message: 'The `recipient` field must be a string.' })
  recipient!: string;

  @OptionalField('Header fields of the message, at most 100.', {
    type: 'object',
    additionalProperties: { type: 'string' },
  })
  @IsOptional()
  @IsObject({ message: 'The `headers` field must be an object.' })
  headers?: Record<string, unknown>;
}

const maxExplained = 100;
/** Characters of all values, as much as the header of a real message has. */
const maxExplainedCharacters = 64 * 1024;

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
  if (header.reduce((sum, { value }) => sum + value.length, 0) > maxExplainedCharacters) {
    throw new ValidationError(`The \`headers\` may have at most ${maxExplainedCharacters} characters.`);
  }
  return { address: parsed.address, header };
}
