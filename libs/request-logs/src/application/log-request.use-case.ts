import { AuthenticateApiKey, Principal } from '#identity';
import { Clock, newId, storableText } from '#kernel';
import { Injectable } from '@nestjs/common';
import { boundedJson } from '../domain/bounded-json.js';
import { RequestLogRepository } from './ports/request-log-repository.port.js';

export interface CompletedRequest {
  readonly method: string;
  /** Path without the query. */
  readonly endpoint: string;
  readonly userAgent: string | undefined;
  /** Whether a page of the dashboard asked. */
  readonly fromPage: boolean;
  readonly status: number;
  readonly requestBody: unknown;
  readonly responseBody: unknown;
}

const maxFieldLength = 500;

/** Logs one completed request of a team. */
@Injectable()
export class LogRequest {
  constructor(
    private readonly logs: RequestLogRepository,
    private readonly apiKeys: AuthenticateApiKey,
    private readonly clock: Clock,
  ) {}

  log({ teamId, actor }: Principal, request: CompletedRequest): void {
    const createdAt = this.clock.now();
    this.logs.add({
      id: newId(createdAt.getTime()),
      teamId,
      actor,
      createdAt,
      method: request.method,
      endpoint: storable(request.endpoint),
      userAgent: request.userAgent === undefined ? null : storable(request.userAgent),
      fromPage: request.fromPage,
      responseStatus: request.status,
      requestJson: boundedJson(request.requestBody),
      responseJson: boundedJson(request.responseBody),
    });
  }

  /** The principal of an API key; undefined if the key is not valid. */
  principalOf(token: string): Promise<Principal | undefined> {
    return this.apiKeys.holderOf(token).catch(() => undefined);
  }
}

function storable(text: string): string {
  return storableText(text.slice(0, maxFieldLength));
}
