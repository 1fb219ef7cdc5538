import { DomainError, ValidationError } from '#kernel';
import { responseOf, ErrorBody, internalError } from '#http/server';
import type { Schema } from './fields.js';

const errorSchema = 'ErrorResponse';

/** Description of each status, for all operations. */
const meanings: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'The API key is missing, unknown, or not allowed to do this, or the session has ended.',
  403: 'A rule forbids it.',
  404: 'Your team has nothing with this id, or it is not your team.',
  409: 'The request collides with another one.',
  413: 'The request is too large.',
  422: 'The request can be read, but not be carried out as it is.',
  429: 'Too many requests, or a quota is used up.',
  500: 'A fault of the service. It has been logged.',
  503: 'The service cannot take the request at the moment. Nothing has been changed.',
};

const headers: Readonly<Record<string, Schema>> = {
  RateLimitLimit: integerHeader('Requests that your team may make per second.', 10),
  RateLimitRemaining: integerHeader('Requests that are left in the current second.', 9),
  RateLimitReset: integerHeader('Seconds until the current window ends.', 1),
  RetryAfter: integerHeader('Seconds after which the request may be repeated.', 1),
  DailyQuota: integerHeader('Messages that your team has sent today (UTC). Only where there is a daily quota.', 42),
  MonthlyQuota: integerHeader(
    'Messages that your team has sent this month (UTC). Only if there is a monthly quota.',
    1042,
  ),
};

const rateHeaders = {
  'ratelimit-limit': { $ref: '#/components/headers/RateLimitLimit' },
  'ratelimit-remaining': { $ref: '#/components/headers/RateLimitRemaining' },
  'ratelimit-reset': { $ref: '#/components/headers/RateLimitReset' },
};
const quotaHeaders = {
  'x-resend-daily-quota': { $ref: '#/components/headers/DailyQuota' },
  'x-resend-monthly-quota': { $ref: '#/components/headers/MonthlyQuota' },
};
const retryAfter = { 'retry-after': { $ref: '#/components/headers/RetryAfter' } };

export function successHeaders(sends: boolean): Schema {
  return sends ? { ...rateHeaders, ...quotaHeaders } : rateHeaders;
}

const malformed = new DomainError('invalid', 'invalid_json', 'The request body is not valid JSON.');
const missingKey = new DomainError(
  'unauthenticated',
  'missing_api_key',
  'Missing API key. Send it as `Authorization: Bearer <key>`.',
);
const unknownKey = new DomainError('invalid', 'unknown_api_key', 'API key is invalid');
/** Of an operation that sends mail, and of the access tokens of tools. */
const unknownToken = new DomainError('unauthenticated', 'validation_error', 'API key is invalid');
const sendingKey = new DomainError(
  'unauthenticated',
  'restricted_api_key',
  'This API key is restricted to only send emails',
);
const sessionEnded = new DomainError(
  'unauthenticated',
  'session_ended',
  'You are not signed in, or your session has ended. Sign in again.',
);
const crossSite = new DomainError(
  'forbidden',
  'cross_site_request',
  'With a session, requests are only accepted from pages of this service.',
);
const missingPermission = new DomainError(
  'forbidden',
  'invalid_permission',
  'Your role in this team does not include `emails:send`.',
);
const unknownTeam = new DomainError('not_found', 'not_found', 'Team not found');
const missingTeam = new DomainError(
  'invalid',
  'missing_team',
  'With a session, the header `X-Team` must name one of your teams by its id.',
);
const tooLarge = new DomainError('too_large', 'validation_error', 'The request body is too large.');
const rateExceeded = new DomainError(
  'limited',
  'rate_limit_exceeded',
  'Too many requests. You can only make 10 requests per second. Wait for `retry-after` seconds and try again.',
);
const dailyExceeded = new DomainError(
  'limited',
  'daily_quota_exceeded',
  'You have reached your daily email sending quota.',
);
const monthlyExceeded = new DomainError(
  'limited',
  'monthly_quota_exceeded',
  'You have reached your monthly email sending quota.',
);
const away = new DomainError(
  'unavailable',
  'service_unavailable',
  'The service is stopping or not ready. Please try again.',
);
const controlCharacters = new DomainError(
  'invalid',
  'invalid_parameter',
  'The URL must not contain control characters.',
);
const notJson = new ValidationError('The request body must be JSON, sent as `Content-Type: application/json`.');

interface SharedResponse {
  readonly bodies: readonly ErrorBody[];
  readonly headers?: Schema;
}

const shared = {
  UnknownKey: { bodies: [unknownKey].map(responseOf) },
  Malformed: { bodies: [malformed, unknownKey].map(responseOf) },
  MalformedToSend: { bodies: [malformed].map(responseOf) },
  Unauthorized: { bodies: [missingKey, unknownToken, sendingKey, sessionEnded].map(responseOf) },
  UnauthorizedToSend: { bodies: [missingKey, unknownToken, sessionEnded].map(responseOf) },
  Forbidden: { bodies: [missingPermission, crossSite].map(responseOf) },
  UnknownTeam: { bodies: [unknownTeam].map(responseOf) },
  TooLarge: { bodies: [tooLarge].map(responseOf) },
  ControlCharacters: { bodies: [controlCharacters, missingTeam].map(responseOf) },
  NotJson: { bodies: [controlCharacters, notJson, missingTeam].map(responseOf) },
  TooManyRequests: { bodies: [rateExceeded].map(responseOf), headers: { ...rateHeaders, ...retryAfter } },
  TooManyEmails: {
    bodies: [rateExceeded, dailyExceeded, monthlyExceeded].map(responseOf),
    headers: { ...rateHeaders, ...quotaHeaders, ...retryAfter },
  },
  InternalError: { bodies: [internalError] },
  Unavailable: { bodies: [away].map(responseOf), headers: retryAfter },
} satisfies Record<string, SharedResponse>;

export interface Traits {
  readonly sends: boolean;
  readonly hasBody: boolean;
  /** Whether the path has parameters: a value of one may be impossible to decode. */
  readonly hasParameters: boolean;
}

/** All refusals of an operation by status: its own and the shared ones. */
export function refusalsOf(own: readonly ErrorBody[], { sends, hasBody, hasParameters }: Traits): Schema {
  const common: (keyof typeof shared)[] = [
    sends ? 'MalformedToSend' : hasBody || hasParameters ? 'Malformed' : 'UnknownKey',
    sends ? 'UnauthorizedToSend' : 'Unauthorized',
    'Forbidden',
    'UnknownTeam',
    ...(hasBody ? (['TooLarge', 'NotJson'] as const) : (['ControlCharacters'] as const)),
    sends ? 'TooManyEmails' : 'TooManyRequests',
    'InternalError',
    'Unavailable',
  ];
  const byStatus = new Map<number, Schema>();
  for (const name of common) {
    const { bodies, headers: sent }: SharedResponse = shared[name];
    const status = statusOf(bodies);
    const more = own.filter(({ statusCode }) => statusCode === status);
    byStatus.set(
      status,
      more.length === 0 ? { $ref: `#/components/responses/${name}` } : errorResponse([...more, ...bodies], sent),
    );
  }
  for (const { statusCode } of own) {
    if (byStatus.has(statusCode)) continue;
    byStatus.set(statusCode, errorResponse(own.filter((body) => body.statusCode === statusCode)));
  }
  return Object.fromEntries(byStatus);
}

function statusOf(bodies: readonly ErrorBody[]): number {
  return bodies[0]?.statusCode ?? internalError.statusCode;
}

/**
 * The response for a status with all bodies that it may have, as examples. `name` in a response is the name of one of
 * them.
 */
function errorResponse(bodies: readonly ErrorBody[], sent?: Schema): Schema {
  const names = [...new Set(bodies.map(({ name }) => `\`${name}\``))];
  const examples: Record<string, { summary: string; value: ErrorBody }> = {};
  for (const body of bodies) {
    const same = Object.values(examples).filter(({ value }) => value.name === body.name).length;
    examples[same === 0 ? body.name : `${body.name}_${same + 1}`] = { summary: body.message, value: body };
  }
  return {
    description: `${meanings[statusOf(bodies)]} \`name\` is ${names.join(' or ')}.`,
    ...(sent === undefined ? {} : { headers: sent }),
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${errorSchema}` }, examples } },
  };
}

/** The name of a refusal that no operation has: of a method that its path does not have. */
const outsideOperations = 'method_not_allowed';

/** @param ownNames names of the refusals of all operations, in addition to the shared ones. */
export function sharedComponents(ownNames: Iterable<string>): Readonly<Record<string, Schema>> {
  const sharedNames = Object.values(shared).flatMap(({ bodies }) => bodies.map(({ name }) => name));
  return {
    schemas: {
      [errorSchema]: {
        type: 'object',
        description: 'The body of every refusal.',
        required: ['statusCode', 'message', 'name'],
        properties: {
          statusCode: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status of the response.' },
          message: { type: 'string', description: 'What is wrong, for people. May change.' },
          name: {
            type: 'string',
            enum: [...new Set([...ownNames, ...sharedNames, outsideOperations])].sort(),
            description: 'What is wrong, for programs. Stable; later versions may add names.',
          },
          error: {
            type: 'object',
            description:
              'The same three fields once more. Only for the PHP client, with a `name` that it does not know.',
          },
        },
      },
    },
    responses: Object.fromEntries(
      Object.entries(shared).map(([name, { bodies, headers: sent }]: [string, SharedResponse]) => [
        name,
        errorResponse(bodies, sent),
      ]),
    ),
    headers,
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description:
          'An API key, sent as `Authorization: Bearer <key>`. A key with `sending_access` may send emails and broadcasts and nothing else.',
      },
    },
  };
}

function integerHeader(description: string, example: number): Schema {
  return { description, schema: { type: 'integer', minimum: 0 }, example };
}
