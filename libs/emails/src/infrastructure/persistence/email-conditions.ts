import { firstIdAt } from '#kernel';
import type { EmailFilter } from '../../domain/email-filter.js';

/** Conditions of SQL with their values, numbered from the first parameter that is free. */
export class Conditions {
  readonly values: unknown[];
  private readonly texts: string[] = [];

  constructor(values: readonly unknown[]) {
    this.values = [...values];
  }

  add(text: (parameter: string) => string, value: unknown): this {
    this.values.push(value);
    this.texts.push(text(`$${this.values.length}`));
    return this;
  }

  /** `AND …` for each condition. */
  get sql(): string {
    return this.texts.map((text) => ` AND ${text}`).join('');
  }
}

/** Adds what limits the ids: a single one, and the times, in which ids ascend. `column` is that of the ids. */
export function withinIds(conditions: Conditions, { id, from, to }: EmailFilter, column: string): Conditions {
  if (id !== undefined) conditions.add((value) => `${column} = ${value}::uuid`, id);
  if (from !== undefined) conditions.add((value) => `${column} >= ${value}::uuid`, firstIdAt(from));
  if (to !== undefined) conditions.add((value) => `${column} < ${value}::uuid`, firstIdAt(to));
  return conditions;
}

/** Adds everything that is read from the row of an email. */
export function ofTheRow(
  conditions: Conditions,
  filter: EmailFilter,
  lookedUp: 'recipient' | 'broadcast' | 'nothing',
): Conditions {
  const { recipient, broadcastId, subjectWords = [], statuses, domainIds, apiKeyIds, tag } = filter;
  if (statuses !== undefined) conditions.add((value) => `last_event = ANY (${value}::text[])`, statuses);
  if (domainIds !== undefined) conditions.add((value) => `domain_id = ANY (${value}::uuid[])`, domainIds);
  if (apiKeyIds !== undefined) conditions.add((value) => `api_key_id = ANY (${value}::uuid[])`, apiKeyIds);
  if (tag !== undefined) conditions.add((value) => `tags @> ${value}::jsonb`, JSON.stringify([tag]));
  for (const word of subjectWords) conditions.add((value) => `subject ILIKE ${value}`, pattern(word));
  if (recipient !== undefined && lookedUp !== 'recipient') {
    conditions.add((value) => `array_to_string("to" || cc || bcc, ' ') ILIKE ${value}`, pattern(recipient));
  }
  if (broadcastId !== undefined && lookedUp !== 'broadcast') {
    conditions.add(
      (value) =>
        `EXISTS (SELECT FROM published_broadcast_emails b WHERE b.email_id = id AND b.broadcast_id = ${value}::uuid)`,
      broadcastId,
    );
  }
  return conditions;
}

function pattern(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`;
}
