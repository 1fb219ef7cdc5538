import type { EventSearch } from '#emails';
import type { EmailEventType } from '#events';
import { ValidationError } from '#kernel';
import { typesNamed } from '../event-names.js';
import { NoCounterpartError } from '../wire-emails.js';
import { jsonObjectOf, parameter, wholeParameter } from '../wire-fields.js';
import { mailgunTag } from './mailgun-message.js';

const maxLimit = 300;
const maxTerms = 20;
const maxTokenLength = 3_000;

/** The parameters as they were given, and what they mean. */
export interface EventQuery {
  readonly given: Readonly<Record<string, string>>;
  /** Undefined: no event of ours can be meant. */
  readonly search: EventSearch | undefined;
}

export interface EventPage {
  readonly query: EventQuery;
  /** The page before. */
  readonly isBack: boolean;
  readonly after?: string;
}

/** The events of Mailgun. The last three never happen here. */
const events = [
  'accepted',
  'delivered',
  'failed',
  'opened',
  'clicked',
  'complained',
  'unsubscribed',
  'rejected',
  'stored',
];

const names = ['begin', 'end', 'ascending', 'limit', 'event', 'severity', 'tags', 'recipient', 'message-id'];
const refused = ['list', 'attachment', 'from', 'to', 'subject', 'size', 'recipients', 'user-variables'];

/** Reads `begin`, `end`, `ascending`, `limit`, and the filters `event`, `severity`, `tags`, `recipient` and `message-id`. */
export function eventQuery(query: Readonly<Record<string, unknown>>): EventQuery {
  for (const name of refused)
    if (parameter(query, name) !== undefined) throw new NoCounterpartError(`The \`${name}\` filter`);
  const given = Object.fromEntries(
    names.flatMap((name) => {
      const value = parameter(query, name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  return { given, search: searchOf(given) };
}

function searchOf(given: Readonly<Record<string, string>>): EventSearch | undefined {
  const types = typesOf(given.event, given.severity);
  if (types?.length === 0) return undefined;
  const [begin, end] = [momentOf('begin', given.begin), momentOf('end', given.end)];
  const isAscending = isTrue(given.ascending) ?? (begin !== undefined && end !== undefined && begin <= end);
  const [from, to] =
    begin !== undefined && end !== undefined && begin > end ? [end, begin] : inOrder(begin, end, isAscending);
  const messageId = given['message-id'];
  return {
    types: types ?? typesNamed(({ mailgun }) => mailgun !== undefined),
    isAscending,
    limit: wholeParameter(given, 'limit', { min: 1, max: maxLimit, otherwise: 100 }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(given.recipient === undefined ? {} : { recipient: given.recipient }),
    ...(messageId === undefined ? {} : { messageId: `<${messageId.replace(/^<|>$/g, '')}>` }),
    ...(given.tags === undefined ? {} : { tags: tagSets(given.tags) }),
  };
}

/** Newest first, `begin` alone is the newest moment. */
function inOrder(begin: Date | undefined, end: Date | undefined, isAscending: boolean): (Date | undefined)[] {
  return begin !== undefined && end === undefined && !isAscending ? [undefined, begin] : [begin, end];
}

/** Undefined: all. */
function typesOf(event: string | undefined, severity: string | undefined): readonly EmailEventType[] | undefined {
  if (severity !== undefined && severity !== 'permanent' && severity !== 'temporary') {
    throw new ValidationError('`severity` must be `permanent` or `temporary`.');
  }
  const ofSeverity = severity === undefined ? undefined : typesNamed((names) => names.severity === severity);
  if (event === undefined) return ofSeverity;
  const types = termsOf('event', event, ' OR ').flatMap((name) => {
    if (events.includes(name)) return typesNamed(({ mailgun }) => mailgun === name);
    throw new ValidationError(`\`event\` has the unknown event \`${name.slice(0, 50)}\`.`);
  });
  return ofSeverity === undefined ? types : types.filter((type) => ofSeverity.includes(type));
}

/** `a AND b OR c`: any of the sets. */
function tagSets(expression: string): EventSearch['tags'] {
  return termsOf('tags', expression, ' OR ').map((set) => termsOf('tags', set, ' AND ').map(mailgunTag));
}

function termsOf(name: string, text: string, separator: string): string[] {
  const terms = text
    .split(separator)
    .map((term) => term.trim().replace(/^[("]{1,9}|[)"]{1,9}$/g, ''))
    .filter((term) => term !== '');
  if (terms.length > maxTerms) throw new ValidationError(`\`${name}\` may have at most ${maxTerms} terms.`);
  return terms;
}

/** Seconds since 1970, or a date of RFC 2822. */
function momentOf(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const isNumber = /^\d{1,11}(?:\.\d{1,9})?$/.test(text);
  const moment = isNumber ? new Date(Number(text) * 1_000) : new Date(text.length > 64 ? NaN : text);
  if (!Number.isNaN(moment.getTime())) return moment;
  throw new ValidationError(`\`${name}\` must be a number of seconds, or a date of RFC 2822.`);
}

function isTrue(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : ['yes', 'true', '1'].includes(text.toLowerCase());
}

export function pageToken({ query, isBack, after }: EventPage): string {
  return Buffer.from(JSON.stringify({ given: query.given, isBack, after })).toString('base64url');
}

export function readPageToken(token: string): EventPage {
  if (!/^[\w-]+$/.test(token) || token.length > maxTokenLength) throw unknownPage();
  const { given, isBack, after } = jsonObjectOf('page', Buffer.from(token, 'base64url').toString('utf8'));
  if (typeof given !== 'object' || given === null || typeof isBack !== 'boolean') throw unknownPage();
  if (after !== undefined && (typeof after !== 'string' || !/^\d{1,18}$/.test(after))) throw unknownPage();
  const query = eventQuery(given as Record<string, unknown>);
  return { query, isBack, ...(after === undefined ? {} : { after }) };
}

function unknownPage(): ValidationError {
  return new ValidationError('The page is none of this log.');
}
