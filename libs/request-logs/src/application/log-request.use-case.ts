import { AuthenticateApiKey, Principal } from '#identity';
import { Clock, newId } from '#kernel';
import { Injectable } from '@nestjs/common';
import { boundedJson } from '../domain/bounded-json.js';
import { RequestLogRepository } from './ports/request-log-repository.port.js';

export interface AnsweredRequest {
  readonly method: string;
  /** Path without the query. */
  readonly endpoint: string;
  readonly userAgent: string | undefined;
  readonly status: number;
  readonly requestBody: unknown;
  readonly responseBody: unknown;
}

const maxFieldLength = 500;

/** Writes down one answered request of a team. */
@Injectable()
export class LogRequest {
  constructor(
    private readonly logs: RequestLogRepository,
    private readonly authenticate: AuthenticateApiKey,
    private readonly clock: Clock,
  ) {}

  execute({ teamId, actor }: Principal, request: AnsweredRequest): void {
    const createdAt = this.clock.now();
    this.logs.add({
      id: newId(createdAt.getTime()),
      teamId,
      actor,
      createdAt,
      method: request.method,
      endpoint: storable(request.endpoint),
      userAgent: request.userAgent === undefined ? null : storable(request.userAgent),
      responseStatus: request.status,
      requestJson: boundedJson(request.requestBody),
      responseJson: boundedJson(request.responseBody),
    });
  }

  /** Whose key this is; undefined for a key that nobody has. */
  principalOf(token: string): Promise<Principal | undefined> {
    return this.authenticate.execute(token).catch(() => undefined);
  }
}

function storable(text: string): string {
  return text.slice(0, maxFieldLength).replaceAll('\0', '').toWellFormed();
}
