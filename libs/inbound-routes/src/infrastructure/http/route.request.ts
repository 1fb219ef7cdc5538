import { parseEmailAddress, ValidationError } from '#kernel';
import { decodeBody } from '#http/server';
import {
  Example,
  Field,
  Flag,
  ListOf,
  ObjectOf,
  OptionalField,
  PartialOf,
  PlainObject,
  Shape,
  Text,
  Whole,
} from '#http/openapi';
import { IsObject } from 'class-validator';
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

const conditionsMessage = 'The `conditions` field must be an array of objects.';

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

abstract class RouteFields {
  @Text('Name, for people.', { optional: true, boundedByDomain: { maxLength: 100 } }) name?: string;
  @ListOf(RouteConditionRequest, 'Conditions on the header; all of them must hold.', {
    optional: true,
    maxItems: maxConditions,
    message: conditionsMessage,
    boundsMessage: `A route may have at most ${maxConditions} \`conditions\`.`,
    also: [IsObject({ message: conditionsMessage, each: true })],
  })
  conditions?: RequestedCondition[];
  @Flag('Whether the routes behind it are looked at as well where it matches.', { optional: true }) continue?: boolean;
  @Flag('Whether it is looked at.', { optional: true }) enabled?: boolean;
  @Whole('Place in the order, from 1.', {
    optional: true,
    minimum: 1,
    maximum: maxRoutes,
    message: `The \`position\` must be a number between 1 and ${maxRoutes}.`,
  })
  position?: number;
}

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
  @Text(`Recipients that the route is for: ${patternForms}.`) recipient!: string;
  @ObjectOf(RouteActionRequest, 'What to do.') action!: RouteActionRequest;
}

@Shape('Changes of a route.')
@Example('move', 'To the front', { position: 1 })
export class UpdateRouteRequest extends PartialOf(CreateRouteRequest) {}

@Shape('A message that might come.')
@Example('address', 'An address', { recipient: 'support@acme.example', headers: { Subject: 'Where is my order?' } })
export class ExplainRouteRequest {
  @Text('The address.') recipient!: string;
  @PlainObject('Header fields of the message, at most 100.', {
    optional: true,
    additionalProperties: { type: 'string' },
  })
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
