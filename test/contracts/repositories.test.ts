import { afterAll } from '@jest/globals';
import { AcceptEmails } from '#emails';
import { IdempotencyKeys } from '#idempotency';
import { newId, UnitOfWork } from '#kernel';
import { InMemoryUnitOfWork } from '../support/fakes/in-memory-unit-of-work.js';
import { Database } from '#postgres/database';
import { EmailRepository } from '../../libs/emails/src/application/ports/email-repository.port.js';
import { ScheduledEmails } from '../../libs/emails/src/application/ports/outbound-queue.port.js';
import { ApiKeyRepository, TeamRepository } from '../../libs/identity/src/application/ports/teams-and-api-keys.port.js';
import { InMemoryIdentity } from '../support/fakes/in-memory-identity.js';
import { InMemorySending } from '../support/fakes/in-memory-sending.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { describeIdentityRepositories } from './api-key-repository.contract.js';
import { describeEmailPersistence } from './email-persistence.contract.js';
import { describeIdempotencyKeys } from './idempotency-keys.contract.js';
import { InMemoryIdempotencyKeys } from '../support/fakes/in-memory-idempotency-keys.js';

let started: Promise<TestProgram> | undefined;

/** One program for all suites. It has no workers, so that only the tests change its emails. */
async function provided<T>(port: abstract new (...parameters: never[]) => T): Promise<T> {
  started ??= startProgram({ ROLES: 'api' });
  return (await started).postrider.app.get(port as never, { strict: false });
}

afterAll(async () => (await started)?.stop());

describeIdentityRepositories('in memory', async () => new InMemoryIdentity());

describeIdentityRepositories('in PostgreSQL', async () => ({
  apiKeys: await provided(ApiKeyRepository),
  teams: await provided(TeamRepository),
  unitOfWork: await provided(UnitOfWork),
}));

describeIdempotencyKeys('in memory', async () => ({
  keys: new InMemoryIdempotencyKeys(),
  unitOfWork: new InMemoryUnitOfWork(),
}));

describeIdempotencyKeys('in PostgreSQL', async () => ({
  keys: await provided(IdempotencyKeys),
  unitOfWork: await provided(UnitOfWork),
}));

describeEmailPersistence('in memory', async () => {
  const { acceptEmails, repository, scheduled, unitOfWork } = new InMemorySending();
  return { acceptance: acceptEmails, emails: repository, scheduled, unitOfWork, domainId: newId() };
});

describeEmailPersistence('in PostgreSQL', async () => {
  const [domain] = await (await provided(Database)).query<{ id: string }>({ text: 'SELECT id FROM domains' });
  return {
    acceptance: await provided(AcceptEmails),
    emails: await provided(EmailRepository),
    scheduled: await provided(ScheduledEmails),
    unitOfWork: await provided(UnitOfWork),
    domainId: domain?.id ?? '',
  };
});
