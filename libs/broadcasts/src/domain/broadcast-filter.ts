import { Page, ValidationError } from '#kernel';
import type { Broadcast, BroadcastStatus } from './broadcast.js';

/** Which broadcasts of a team a list shows. Every condition that is set must hold. */
export interface BroadcastFilter {
  readonly statuses?: readonly BroadcastStatus[];
  /** A part of the name or of the subject, without regard to case. */
  readonly text?: string;
}

export interface BroadcastsPage extends Page<Broadcast> {
  /** With a filter: where the next page begins, since a page may have fewer broadcasts than asked for. */
  readonly next?: string | null;
}

export const broadcastStatuses = [
  'draft',
  'scheduled',
  'queued',
  'paused',
  'sent',
  'canceled',
] as const satisfies readonly BroadcastStatus[];

const maxText = 200;

/** Reads the filters of `GET /broadcasts`. Undefined if there are none. Empty strings count as absent. */
export function parseBroadcastFilter(query: Readonly<Record<string, unknown>>): BroadcastFilter | undefined {
  const [statuses, text] = [statusesOf(query.status), textOf(query.q)];
  if (statuses === undefined && text === undefined) return undefined;
  return { ...(statuses === undefined ? {} : { statuses }), ...(text === undefined ? {} : { text }) };
}

/** Accepts a comma-separated list, a repeated parameter, or both. */
function statusesOf(value: unknown): readonly BroadcastStatus[] | undefined {
  if (value === undefined || value === '') return undefined;
  const given = (Array.isArray(value) ? value : [value]).flatMap((item: unknown) =>
    typeof item === 'string' ? item.split(',').map((part) => part.trim()) : [null],
  );
  const isStatus = (item: unknown): item is BroadcastStatus => broadcastStatuses.some((status) => status === item);
  const statuses = [...new Set(given)].filter((item) => item !== '');
  if (!statuses.every(isStatus)) {
    throw new ValidationError(`The \`status\` must be among: ${broadcastStatuses.join(', ')}.`);
  }
  return statuses.length === 0 ? undefined : statuses;
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value.length > maxText || value.includes('\0')) {
    throw new ValidationError(`The \`q\` parameter must be a text of at most ${maxText} characters.`);
  }
  const text = value.trim().toLowerCase();
  return text === '' ? undefined : text;
}
