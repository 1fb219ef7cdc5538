import type { LastEvent } from '#events';
import { existingMoment, isUuid, PageRequest, searchedAddress, ValidationError } from '#kernel';
import type { Email } from './email.js';

/** Which emails of a team a list shows. Every condition that is set must hold. */
export interface EmailFilter {
  readonly id?: string;
  /** A whole address, which is looked up, or a part of one. */
  readonly recipient?: string;
  /** Each must occur in the subject, without regard to case. */
  readonly subjectWords?: readonly string[];
  readonly statuses?: readonly LastEvent[];
  readonly domainIds?: readonly string[];
  readonly apiKeyIds?: readonly string[];
  readonly broadcastId?: string;
  readonly tag?: { readonly name: string; readonly value?: string };
  /** Inclusive. */
  readonly from?: Date;
  /** Exclusive. */
  readonly to?: Date;
}

/** A page of a search. */
export interface FoundEmails {
  readonly items: readonly Email[];
  readonly hasMore: boolean;
  /**
   * Where the next page begins. A search examines a bounded number of emails at a time, so a page may have fewer items
   * than asked for, or none, although there are more.
   */
  readonly next: string | undefined;
}

export interface EmailSearch {
  readonly filter: EmailFilter;
  readonly page: PageRequest;
}

export const lastEvents = [
  'queued',
  'scheduled',
  'sent',
  'delivered',
  'delivery_delayed',
  'bounced',
  'complained',
  'opened',
  'clicked',
  'failed',
  'suppressed',
  'canceled',
] as const satisfies readonly LastEvent[];

/** Words of a subject that one search may have, and characters of a text in it. */
const maxWords = 8;
const maxText = 320;
const maxIds = 50;

/** Whether a recipient is a whole address, so that the index of addresses finds it. */
export function isWholeAddress(recipient: string): boolean {
  const at = recipient.lastIndexOf('@');
  const domain = recipient.slice(at + 1);
  const dot = domain.lastIndexOf('.');
  return at > 0 && dot > 0 && dot < domain.length - 1 && !/\s/.test(recipient);
}

/** Reads the filters of `GET /emails`. Undefined if there are none. Empty strings count as absent. */
export function parseEmailFilter(query: Readonly<Record<string, unknown>>): EmailFilter | undefined {
  const filter = {
    ...anything(textOf('q', query.q)),
    ...given('recipient', recipientOf(textOf('recipient', query.recipient))),
    ...given('subjectWords', wordsOf(textOf('subject', query.subject))),
    ...given('statuses', statusesOf(query.status)),
    ...given('domainIds', idsOf('domain_id', query.domain_id)),
    ...given('apiKeyIds', idsOf('api_key_id', query.api_key_id)),
    ...given('broadcastId', broadcastOf(textOf('broadcast_id', query.broadcast_id))),
    ...given('tag', tagOf(textOf('tag', query.tag))),
    ...given('from', momentOf('created_after', query.created_after)),
    ...given('to', momentOf('created_before', query.created_before)),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}

/** A search box takes an id, a recipient, or words of the subject. */
function anything(text: string | undefined): EmailFilter {
  if (text === undefined) return {};
  if (isUuid(text)) return { id: text.toLowerCase() };
  return text.includes('@') ? { recipient: searchedAddress(text) } : { subjectWords: wordsOf(text) };
}

function recipientOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : searchedAddress(text);
}

function given<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [key in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [key in Key]: Value });
}

function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string' || value.length > maxText) {
    throw new ValidationError(`The \`${name}\` parameter must be a text of at most ${maxText} characters.`);
  }
  const text = value.trim();
  return text === '' ? undefined : text;
}

function wordsOf(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const words = [...new Set(text.toLowerCase().split(/\s+/))];
  if (words.length > maxWords) throw new ValidationError(`A search can have at most ${maxWords} words.`);
  return words;
}

/** Accepts a comma-separated list, a repeated parameter, or both. */
function listOf(name: string, value: unknown): readonly string[] | undefined {
  const items = (Array.isArray(value) ? value : [value]).flatMap((item: unknown) => {
    if (item === undefined) return [];
    if (typeof item !== 'string') throw new ValidationError(`The \`${name}\` parameter must be a list.`);
    return item.split(',').map((part) => part.trim());
  });
  const named = [...new Set(items.filter((item) => item !== ''))];
  if (named.length > maxIds) throw new ValidationError(`The \`${name}\` parameter can have at most ${maxIds} values.`);
  return named.length === 0 ? undefined : named;
}

function statusesOf(value: unknown): readonly LastEvent[] | undefined {
  const statuses = listOf('status', value);
  if (statuses?.every((status): status is LastEvent => (lastEvents as readonly string[]).includes(status)) === false) {
    throw new ValidationError(`The \`status\` must be among: ${lastEvents.join(', ')}.`);
  }
  return statuses;
}

function idsOf(name: string, value: unknown): readonly string[] | undefined {
  const ids = listOf(name, value);
  if (ids?.every(isUuid) === false) throw new ValidationError(`The \`${name}\` must be a list of UUIDs.`);
  return ids?.map((id) => id.toLowerCase());
}

function broadcastOf(text: string | undefined): string | undefined {
  if (text !== undefined && !isUuid(text)) throw new ValidationError('The `broadcast_id` must be a valid UUID.');
  return text?.toLowerCase();
}

/** `name` or `name:value`. */
function tagOf(text: string | undefined): EmailFilter['tag'] {
  if (text === undefined) return undefined;
  const colon = text.indexOf(':');
  return colon < 0 ? { name: text } : { name: text.slice(0, colon), value: text.slice(colon + 1) };
}

const isoMoment = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d))?$/;

function momentOf(name: string, value: unknown): Date | undefined {
  const text = textOf(name, value);
  if (text === undefined) return undefined;
  const moment = isoMoment.test(text) ? existingMoment(text) : undefined;
  if (moment === undefined || moment.getTime() < 0) {
    throw new ValidationError(
      `The \`${name}\` must be a date such as \`2026-11-30\`, or a time with its offset such as \`2026-11-30T08:00:00Z\`.`,
    );
  }
  return moment;
}
