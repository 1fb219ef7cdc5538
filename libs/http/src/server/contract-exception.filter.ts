import { DomainError, isDatabaseTrouble, ValidationError } from '#kernel';
import { Logger } from '#observability/logging';
import { Metrics } from '#observability/metrics';
import { ArgumentsHost, Catch, ExceptionFilter, HttpException } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { FastifyReply, FastifyRequest } from 'fastify';
import { ErrorShapes } from './error-shapes.js';
import { responseOf, ErrorBody, internalError, retryAfter } from './error-response.js';
import { readableError } from './php-client.js';
import { setErrorOf } from './request-error.js';
import { methodsOf } from './route-table.js';

/**
 * Converts every error to an HTTP response. An unexpected error becomes status 500 with a generic text and is logged
 * here.
 */
@Catch()
export class ContractExceptionFilter implements ExceptionFilter {
  private readonly refusals: Counter<'name' | 'status'>;

  constructor(
    private readonly logger: Logger,
    metrics: Metrics,
    private readonly shapes: ErrorShapes,
  ) {
    this.refusals = metrics.counter('postrider_http_refusals_total', 'HTTP requests refused or failed', [
      'status',
      'name',
    ]);
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    setErrorOf(request, error);
    if (reply.sent) return;
    const refusal = refusalFrom(error, request);
    const body = this.bodyFor(error, refusal, request);
    this.refusals.inc({ status: String(body.statusCode), name: body.name });
    if (body.statusCode === 405) void reply.header('allow', methodsOf(request.server, request.url).join(', '));
    if (!reply.hasHeader('retry-after')) void reply.headers(retryAfter(body.statusCode, error));
    const shaped = this.shapes.of(request.url)?.(body, refusal, request.url);
    if (shaped !== undefined) {
      const type = typeof shaped.body === 'string' ? 'text/xml' : 'application/json';
      void reply.status(shaped.status).header('content-type', `${type}; charset=utf-8`).send(shaped.body);
      return;
    }
    void reply
      .status(body.statusCode)
      .header('content-type', 'application/json; charset=utf-8')
      .send(readableError(body, request.headers['user-agent']));
  }

  private bodyFor(error: unknown, refusal: DomainError | undefined, request: FastifyRequest): ErrorBody {
    if (refusal !== undefined) return responseOf(refusal);
    this.logger.error(
      { error, requestId: request.id, method: request.method, route: request.routeOptions?.url },
      'request failed',
    );
    return internalError;
  }
}

function refusalFrom(error: unknown, request: FastifyRequest): DomainError | undefined {
  if (error instanceof DomainError) return error;
  if (isDatabaseTrouble(error)) return notReady();
  const status = error instanceof HttpException ? error.getStatus() : (error as { statusCode?: unknown }).statusCode;
  switch (status) {
    case 404:
      return unknownRoute(request);
    case 413:
      return new DomainError('too_large', 'validation_error', 'The request body is too large.');
    case 415:
      return new ValidationError('The request body must be JSON, sent as `Content-Type: application/json`.');
    case 400:
      return new DomainError('invalid', 'invalid_json', messageOf(error));
    case 503:
      return notReady();
    default:
      return undefined;
  }
}

/** 503 while the database is away, or while the program starts or stops. */
export function notReady(): DomainError {
  return new DomainError(
    'unavailable',
    'service_unavailable',
    'The service is stopping or not ready. Please try again.',
  );
}

function unknownRoute(request: FastifyRequest): DomainError {
  if (methodsOf(request.server, request.url).length > 0) {
    return new DomainError(
      'invalid',
      'method_not_allowed',
      'This endpoint does not support the method of the request.',
    );
  }
  return new DomainError('not_found', 'not_found', 'The requested endpoint does not exist.');
}

function messageOf(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  return code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH'
    ? 'The request body does not have the announced length.'
    : 'The request body is not valid JSON.';
}
