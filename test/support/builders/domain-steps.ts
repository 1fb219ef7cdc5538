import { expect } from '@jest/globals';
import { DomainEventPayload } from '#domains';
import { Database } from '#postgres/database';
import { DomainsProgram, startDomainsProgram } from '../programs/domains-program.js';
import { allRecords, publishRecords, ReturnedRecord } from './published-records.js';

export let program: DomainsProgram;

export async function startDomains(): Promise<void> {
  program = await startDomainsProgram();
}

export const stopDomains = (): Promise<void> => program.stop();

export const hour = 3_600_000;

export async function createDomain(name: string, options: Record<string, unknown> = {}) {
  const { data, error } = await program.resend.domains.create({ name, ...options });
  expect(error).toBeNull();
  return data as NonNullable<typeof data>;
}

export async function verifiedDomain(name: string) {
  const domain = await createDomain(name);
  publishRecords(program.dns, name, allRecords(domain));
  await program.resend.domains.verify(domain.id);
  await program.becomes(domain.id, 'verified');
  return domain;
}

export const recordOf = (records: readonly ReturnedRecord[], kind: string, type: string): ReturnedRecord =>
  records.find(({ record, type: given }) => record === kind && given === type) as ReturnedRecord;

export async function statusesOf(id: string): Promise<Record<string, string>> {
  const { data } = await program.resend.domains.get(id);
  return Object.fromEntries(
    (data?.records ?? []).map(({ record, type, name, status }) => [`${record} ${type} ${name}`, status]),
  );
}

export async function eventsOf(id: string) {
  return program.postrider.app.get(Database).query<{ type: string; payload: DomainEventPayload }>({
    text: `SELECT type, data AS payload FROM team_events WHERE data->>'id' = $1 ORDER BY id`,
    values: [id],
  });
}

export const send = (from: string) =>
  program.resend.emails.send({ from, to: 'someone@example.test', subject: 'Hello', text: 'Hi' });
