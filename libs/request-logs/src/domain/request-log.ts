import type { Actor } from '#identity';
import { ValidationError } from '#kernel';

/** One API request as its team may read it. */
export interface RequestLogSummary {
  readonly id: string;
  readonly createdAt: Date;
  readonly endpoint: string;
  readonly method: string;
  readonly responseStatus: number;
  readonly userAgent: string | null;
}

export interface RequestLog extends RequestLogSummary {
  readonly requestBody: unknown;
  readonly responseBody: unknown;
}

/** A request as it is stored: the bodies are JSON text, bounded and without secrets. */
export interface NewRequestLog extends RequestLogSummary {
  readonly teamId: string;
  readonly actor: Actor;
  /** Whether a page of the dashboard asked. */
  readonly fromPage: boolean;
  readonly requestJson: string | null;
  readonly responseJson: string | null;
}

/** Which requests a list shows. */
export interface LogFilter {
  /** Lowest and highest status. */
  readonly statuses?: readonly [from: number, to: number];
  readonly method?: string;
  /** Whether a page of the dashboard asked; false: keys and tools. */
  readonly fromPage?: boolean;
}

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** Reads the filters of `GET /logs`. Returns undefined if there are none. */
export function parseLogFilter(query: Readonly<Record<string, unknown>>): LogFilter | undefined {
  const statuses = statusesOf(query.status);
  const method = methodOf(query.method);
  const fromPage = isFromPage(query.origin);
  if (statuses === undefined && method === undefined && fromPage === undefined) return undefined;
  return {
    ...(statuses === undefined ? {} : { statuses }),
    ...(method === undefined ? {} : { method }),
    ...(fromPage === undefined ? {} : { fromPage }),
  };
}

function statusesOf(value: unknown): LogFilter['statuses'] {
  if (value === undefined || value === '') return undefined;
  const [, first, rest] = typeof value === 'string' ? (/^([1-5])(xx|\d\d)$/i.exec(value) ?? []) : [];
  if (first === undefined || rest === undefined) {
    throw new ValidationError('The `status` must be a status such as `404`, or a class such as `4xx`.');
  }
  if (/^\d/.test(rest)) return [Number(first + rest), Number(first + rest)];
  return [Number(first) * 100, Number(first) * 100 + 99];
}

function methodOf(value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  const method = typeof value === 'string' ? value.toUpperCase() : '';
  if (!methods.includes(method)) throw new ValidationError(`The \`method\` must be one of: ${methods.join(', ')}.`);
  return method;
}

function isFromPage(value: unknown): boolean | undefined {
  if (value === undefined || value === '') return undefined;
  if (value !== 'api' && value !== 'dashboard') {
    throw new ValidationError('The `origin` must be one of: api, dashboard.');
  }
  return value === 'dashboard';
}
