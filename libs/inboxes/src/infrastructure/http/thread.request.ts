import { isUuid, MissingFieldError, ValidationError } from '#kernel';
import { decodeBody, jsonObject } from '#http/server';
import { Example, Flag, OneOf, Shape, Text, Texts } from '#http/openapi';
import type { ThreadChanges, ThreadSearch, ThreadFilter } from '../../application/ports/thread-repository.port.js';
import { movableFolders, threadFolders } from '../../domain/thread.js';
import type { MovableFolder, ThreadFolder } from '../../domain/thread.js';
import { labelId } from './example-ids.js';

/** Characters of a parameter. */
const maxParameterLength = 500;
/** Labels that one request names. */
const maxLabelsPerRequest = 10;
const areIds = (labels: unknown): labels is string[] =>
  Array.isArray(labels) &&
  labels.length <= maxLabelsPerRequest &&
  labels.every((id) => typeof id === 'string' && isUuid(id));

@Shape('Changes of a thread. At least one field.')
@Example('archive', 'Read, and out of the way', { read: true, folder: 'archive' })
export class UpdateThreadRequest {
  @Flag('Whether all of its emails are read.', { optional: true }) read?: boolean;
  @OneOf(movableFolders, 'Folder to which it moves.', {
    optional: true,
    message: `The \`folder\` must be one of ${movableFolders.join(', ')}.`,
  })
  folder?: MovableFolder;
  @Text('Address of the member of your team who looks after it. Null: nobody.', {
    optional: true,
    nullable: true,
    maxLength: maxParameterLength,
  })
  assignee_email?: string;
}

@Shape('Labels to add.')
@Example('add', 'One label', { labels: [labelId] })
export class AddThreadLabelsRequest {
  @Texts(`Ids of labels of the inbox, 1 to ${maxLabelsPerRequest}.`, {
    allows: (labels) => areIds(labels) && labels.length > 0,
    message: `The \`labels\` field must be an array of 1 to ${maxLabelsPerRequest} ids of labels.`,
  })
  labels!: string[];
}

@Shape('The labels that the thread is to have.')
@Example('none', 'No label', { labels: [] })
export class ReplaceThreadLabelsRequest {
  @Texts(`Ids of labels of the inbox, at most ${maxLabelsPerRequest}.`, {
    allows: areIds,
    message: `The \`labels\` field must be an array of at most ${maxLabelsPerRequest} ids of labels.`,
  })
  labels!: string[];
}

export function decodeThreadChanges(body: unknown): ThreadChanges {
  const { read, folder, assignee_email: email } = decodeBody(UpdateThreadRequest, body);
  const assigneeEmail = jsonObject(body).assignee_email === null ? null : email;
  if (read === undefined && folder === undefined && assigneeEmail === undefined) throw new MissingFieldError('folder');
  return { isRead: read, folder, assigneeEmail };
}

export const decodeAddedLabels = (body: unknown): string[] =>
  lowerCase(decodeBody(AddThreadLabelsRequest, body).labels);

export const decodeReplacedLabels = (body: unknown): string[] =>
  lowerCase(decodeBody(ReplaceThreadLabelsRequest, body).labels);

type Query = Readonly<Record<string, unknown>>;

/** Alternatives in one parameter. */
const maxAlternatives = 20;

/** Without `folders`: the folder `inbox`, and with labels or an assignee all in which they are looked for. */
export function decodeThreadFilter(query: Query): ThreadFilter {
  const labels = listIn(query, 'labels').map((id) => id.toLowerCase());
  if (!labels.every(isUuid)) throw new ValidationError('The `labels` parameter must be a list of ids.');
  const given = listIn(query, 'folders');
  if (!given.every(isFolder)) {
    throw new ValidationError(`The \`folders\` parameter must be a list of ${threadFolders.join(', ')}.`);
  }
  const isChosen = labels.length > 0 || textIn(query, 'assignee_email') !== undefined;
  const folders: ThreadFolder[] = isChosen ? ['inbox', 'archive', 'sent'] : ['inbox'];
  return {
    folders: given.length > 0 ? [...new Set(given)] : folders,
    labels,
    isRead: booleanIn(query, 'read'),
    assigneeEmail: textIn(query, 'assignee_email'),
  };
}

export function decodeThreadSearch(query: Query): ThreadSearch {
  return {
    query: textIn(query, 'query'),
    from: listIn(query, 'from'),
    to: listIn(query, 'to'),
    cc: listIn(query, 'cc'),
    bcc: listIn(query, 'bcc'),
    hasAttachment: booleanIn(query, 'has_attachment'),
    since: momentIn(query, 'start_date', 0),
    until: momentIn(query, 'end_date', 1),
  };
}

const isFolder = (name: string): name is ThreadFolder => (threadFolders as readonly string[]).includes(name);

function textIn(query: Query, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string' || value.length > maxParameterLength || value.includes('\0') || !value.isWellFormed()) {
    throw new ValidationError(`The \`${name}\` parameter is not valid.`);
  }
  return value;
}

function listIn(query: Query, name: string): string[] {
  const parts = (textIn(query, name) ?? '').split(',').map((part) => part.trim());
  const given = parts.filter((part) => part !== '');
  if (given.length > maxAlternatives) {
    throw new ValidationError(`The \`${name}\` parameter may have at most ${maxAlternatives} values.`);
  }
  return given;
}

function booleanIn(query: Query, name: string): boolean | undefined {
  const value = textIn(query, name);
  if (value === undefined) return undefined;
  if (value !== 'true' && value !== 'false')
    throw new ValidationError(`The \`${name}\` parameter must be true or false.`);
  return value === 'true';
}

const dayMs = 86_400_000;

/** A date stands for its whole day in UTC: `days` is added to it, so that an end is behind it. */
function momentIn(query: Query, name: string, days: 0 | 1): Date | undefined {
  const value = textIn(query, name);
  if (value === undefined) return undefined;
  const isDate = /^\d{4}-\d\d-\d\d$/.test(value);
  const moment = new Date(isDate || /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value) ? value : NaN);
  if (Number.isNaN(moment.getTime())) {
    throw new ValidationError(`The \`${name}\` parameter must be a date such as 2026-11-30, or a time in ISO 8601.`);
  }
  return isDate ? new Date(moment.getTime() + days * dayMs) : moment;
}

function lowerCase(ids: readonly string[]): string[] {
  return ids.map((id) => id.toLowerCase());
}
