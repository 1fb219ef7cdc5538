import { isUuid, ValidationError } from '#kernel';
import { QueryList, QueryParameter } from '#http/openapi';
import { applyDecorators } from '@nestjs/common';
import { metrics } from '../../domain/metric.js';
import {
  broadcastDimensions,
  defaultRangeMs,
  Dimension,
  dimensions,
  granularities,
  Granularity,
  maxFigures,
  maxRowsOf,
  MetricsRequest,
  retentionMs,
  UnknownTimeZoneError,
} from '../../domain/metrics-request.js';

export type MetricsQuery = Readonly<Record<string, unknown>>;

export const maxIds = 100;

/** Reads the query of `GET /emails/metrics` (docs/wire-contract.md section 7.8). Ignores unknown parameters. */
export function decodeMetricsQuery(query: MetricsQuery, now: Date): MetricsRequest {
  const end = earlier(dateOf('end_date', query.end_date) ?? now, now);
  const start = dateOf('start_date', query.start_date) ?? new Date(end.getTime() - defaultRangeMs);
  if (start > end) throw new ValidationError('The `start_date` must be on or before the `end_date`.');
  const request: MetricsRequest = {
    start: new Date(Math.max(start.getTime(), Math.min(now.getTime() - retentionMs, end.getTime()))),
    end,
    timeZone: timeZoneOf(query.timezone),
    granularity: granularityOf(query.granularity),
    metrics: chosenOf('metrics', query.metrics, metrics) ?? metrics,
    dimensions: chosenOf('dimensions', query.dimensions, dimensions) ?? [],
    domainIds: idsOf('domain_id', query.domain_id),
    emailIds: idsOf('email_id', query.email_id),
    broadcastIds: idsOf('broadcast_id', query.broadcast_id),
  };
  checkCombinations(request);
  return request;
}

/** Reads the query of `GET /broadcasts/metrics`: the same, of broadcasts alone. */
export function decodeBroadcastMetricsQuery(query: MetricsQuery, now: Date): MetricsRequest {
  const { domain_id: _domains, email_id: _emails, ...rest } = query;
  const chosen = chosenOf('dimensions', query.dimensions, broadcastDimensions) ?? [];
  return { ...decodeMetricsQuery(rest, now), dimensions: chosen, onlyBroadcasts: true };
}

function checkCombinations({ dimensions: chosen, emailIds, broadcastIds }: MetricsRequest): void {
  const byEmail = chosen.includes('email') || emailIds !== undefined;
  const byBroadcast = chosen.includes('broadcast') || broadcastIds !== undefined;
  if (byEmail && byBroadcast) {
    throw new ValidationError('The `email` and `broadcast` dimensions and filters cannot be combined.');
  }
  if (chosen.includes('email' satisfies Dimension) && emailIds === undefined) {
    throw new ValidationError('The `email` dimension needs an `email_id`: name up to 100 emails.');
  }
}

/** Accepts a comma-separated list, a repeated parameter, or both. Undefined if the list is empty. */
function listOf(name: string, value: unknown): string[] | undefined {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const items = values.flatMap((item) => {
    if (item === undefined) return [];
    if (typeof item !== 'string') throw new ValidationError(`The \`${name}\` parameter must be a list.`);
    return item.split(',').map((part) => part.trim());
  });
  const named = [...new Set(items.filter((item) => item !== ''))];
  return named.length === 0 ? undefined : named;
}

function chosenOf<Name extends string>(name: string, value: unknown, all: readonly Name[]): Name[] | undefined {
  const chosen = listOf(name, value);
  if (chosen?.every((item): item is Name => (all as readonly string[]).includes(item)) === false) {
    throw new ValidationError(`The \`${name}\` must be among: ${all.join(', ')}.`);
  }
  return chosen;
}

function idsOf(name: string, value: unknown): string[] | undefined {
  const ids = listOf(name, value);
  if (ids === undefined) return undefined;
  if (ids.length > maxIds) throw new ValidationError(`The \`${name}\` can name at most ${maxIds} ids.`);
  if (!ids.every(isUuid)) throw new ValidationError(`The \`${name}\` must be a list of UUIDs.`);
  return ids.map((id) => id.toLowerCase());
}

function granularityOf(value: unknown): Granularity {
  if (isAbsent(value)) return 'daily';
  const found = granularities.find((granularity) => granularity === value);
  if (found === undefined)
    throw new ValidationError(`The \`granularity\` must be one of: ${granularities.join(', ')}.`);
  return found;
}

function timeZoneOf(value: unknown): string {
  if (isAbsent(value)) return 'UTC';
  // Only names: JavaScript and PostgreSQL also accept offsets, but PostgreSQL reads their sign the other way round.
  if (typeof value !== 'string' || !/^[a-z][a-z0-9_+/-]{0,60}$/i.test(value)) throw new UnknownTimeZoneError();
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    throw new UnknownTimeZoneError();
  }
}

const isoDate = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** A date means its midnight in UTC; a time without an offset is in UTC. */
function dateOf(name: string, value: unknown): Date | undefined {
  if (isAbsent(value)) return undefined;
  // If a client did not encode the `+` of an offset, it arrives as a space.
  const text = typeof value === 'string' ? value.replace(/(t[\d:.]+) (\d\d:?\d\d)$/i, '$1+$2') : '';
  const [, day, offset] = isoDate.exec(text) ?? [];
  const iso = text.replace(' ', 'T');
  const moment = new Date(day === undefined || day === text || offset !== undefined ? iso : `${iso}Z`);
  if (day === undefined || !isUsable(moment, day)) {
    throw new ValidationError(`The \`${name}\` must be an ISO 8601 date, with or without a time.`);
  }
  return moment;
}

/** Whether the day exists and its year is written alike by JavaScript and PostgreSQL: four digits, not 0000. */
function isUsable(moment: Date, day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(moment.getTime()) || Number.isNaN(midnight.getTime())) return false;
  const year = moment.getUTCFullYear();
  return year >= 1 && year <= 9999 && midnight.toISOString().startsWith(day);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === '';
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

/** The query parameters that the metrics of emails and of broadcasts share. */
export const RangeOfMetrics = (): MethodDecorator =>
  applyDecorators(
    QueryParameter(
      'start_date',
      'Beginning of the range: an ISO 8601 date, with or without a time, in UTC if it has no offset. ' +
        'Default: six days before `end_date`. At most 400 days ago.',
      {},
      '2026-11-01',
    ),
    QueryParameter('end_date', 'End of the range, exclusive. Default, and at most: now.', {}, '2026-11-30T00:00:00Z'),
    QueryParameter(
      'timezone',
      'IANA time zone in which days, weeks and months begin.',
      { default: 'UTC' },
      'Europe/Berlin',
    ),
    QueryParameter(
      'granularity',
      `Length of a period. A range has at most ${maxFigures} figures: periods times metrics. That is ` +
        `${maxRowsOf({ metrics })} periods with all metrics.`,
      { enum: granularities, default: 'daily' },
      'daily',
    ),
    QueryList(
      'metrics',
      'What to count. Default: everything. Several are separated by commas, or the parameter is repeated.',
      { type: 'string', enum: metrics },
      ['sent', 'delivered', 'delivery_rate'],
    ),
  );
