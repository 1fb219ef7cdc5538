import { afterAll } from '@jest/globals';
import { InMemoryMessageStore, MessageStore } from '#emails';
import { ReceivedEmails } from '#inbound';
import { newId, UnitOfWork } from '#kernel';
import { InMemoryUnitOfWork } from '../support/fakes/in-memory-unit-of-work.js';
import { ProcessNotifications } from '#postgres/database';
import { AttemptCounts } from '../../libs/accounts/src/application/ports/attempt-counts.port.js';
import { Invitations, Memberships } from '../../libs/accounts/src/application/ports/memberships.port.js';
import { SignIn } from '../../libs/accounts/src/application/ports/sign-in.port.js';
import { MembershipRepository } from '../../libs/audience/src/application/ports/segment-repository.port.js';
import {
  broadcastQueued,
  BroadcastRepository,
} from '../../libs/broadcasts/src/application/ports/broadcast-repository.port.js';
import { ContactRepository } from '../../libs/audience/src/application/ports/contact-repository.port.js';
import { ImportRepository } from '../../libs/contact-imports/src/application/ports/import-repository.port.js';
import { ClaimRepository, DomainRepository } from '../../libs/domains/src/application/ports/domain-repository.port.js';
import { InMemoryClaimRepository } from '../support/fakes/in-memory-claim-repository.js';
import { InMemoryDomainRepository } from '../support/fakes/in-memory-domain-repository.js';
import { RouteRepository } from '../../libs/inbound-routes/src/application/ports/route-repository.port.js';
import { InboxRepository } from '../../libs/inboxes/src/application/ports/inbox-repository.port.js';
import { TeamRepository } from '../../libs/identity/src/application/ports/teams-and-api-keys.port.js';
import { RequestLogRepository } from '../../libs/request-logs/src/application/ports/request-log-repository.port.js';
import { InMemoryRequestLogRepository } from '../support/fakes/in-memory-request-log-repository.js';
import { SuppressionRepository } from '../../libs/suppressions/src/application/ports/suppression-repository.port.js';
import { InMemorySuppressionRepository } from '../support/fakes/in-memory-suppressions.js';
import { TemplateRepository } from '../../libs/templates/src/application/ports/template-repository.port.js';
import { WebhookRepository } from '../../libs/webhooks/src/application/ports/webhook-repository.port.js';
import { InMemoryWebhookRepository } from '../support/fakes/in-memory-webhooks.js';
import { InMemoryBroadcastRepository } from '../support/fakes/in-memory-broadcasts.js';
import { InMemoryTemplateRepository } from '../support/fakes/in-memory-templates.js';
import { InMemoryContacts } from '../support/fakes/in-memory-contacts.js';
import { InMemoryMemberships, InMemorySegments } from '../support/fakes/in-memory-groups.js';
import { InMemoryImportRepository } from '../support/fakes/in-memory-contact-imports.js';
import { InMemoryAccounts } from '../support/fakes/in-memory-accounts.js';
import { InMemoryAttemptCounts } from '../support/fakes/in-memory-attempt-counts.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { describeAccounts } from './accounts.contract.js';
import { describeBroadcastRepository } from './broadcast-repository.contract.js';
import { describeContactRepository } from './contact-repository.contract.js';
import { describeClaimRepository } from './claim-repository.contract.js';
import { describeDomainRepository } from './domain-repository.contract.js';
import { InMemoryInboxes } from '../support/fakes/in-memory-inbox-repository.js';
import { InMemoryRoutes } from '../support/fakes/in-memory-routes.js';
import { describeInboxRepository } from './inbox-repository.contract.js';
import { describeRouteRepository } from './route-repository.contract.js';
import { InMemoryReceivedEmails } from '../support/fakes/in-memory-receiving.js';
import { describeReceivedEmails } from './received-emails.contract.js';
import { describeImportRepository } from './import-repository.contract.js';
import { describeRequestLogRepository } from './request-log-repository.contract.js';
import { describeSuppressionRepository } from './suppression-repository.contract.js';
import { describeTemplateRepository } from './template-repository.contract.js';
import { describeWebhookRepository } from './webhook-repository.contract.js';

let started: Promise<TestProgram> | undefined;

/** All suites share one program. It has no worker role, so that only the tests change the rows. */
async function provided<T>(port: abstract new (...parameters: never[]) => T): Promise<T> {
  started ??= startProgram({ ROLES: 'api' });
  return (await started).postrider.app.get(port as never, { strict: false });
}

async function storedTeam(): Promise<string> {
  const [unitOfWork, teams] = [await provided(UnitOfWork), await provided(TeamRepository)];
  const team = { id: newId(), name: 'Team', defaultFrom: null, createdAt: new Date() };
  await unitOfWork.run((transaction) => teams.insert(team, transaction));
  return team.id;
}

afterAll(async () => (await started)?.stop());

const inMemory = { unitOfWork: new InMemoryUnitOfWork(), aTeam: async () => newId() };
const inPostgres = async () => ({ unitOfWork: await provided(UnitOfWork), aTeam: storedTeam });

describeSuppressionRepository('in memory', async () => ({
  ...inMemory,
  suppressions: new InMemorySuppressionRepository(),
}));
describeSuppressionRepository('in PostgreSQL', async () => ({
  ...(await inPostgres()),
  suppressions: await provided(SuppressionRepository),
}));

describeTemplateRepository('in memory', async () => ({ ...inMemory, templates: new InMemoryTemplateRepository() }));
describeTemplateRepository('in PostgreSQL', async () => ({
  ...(await inPostgres()),
  templates: await provided(TemplateRepository),
}));

describeBroadcastRepository('in memory', async () => {
  const broadcasts = new InMemoryBroadcastRepository();
  return { ...inMemory, broadcasts, notified: broadcasts.notified };
});
describeBroadcastRepository('in PostgreSQL', async () => {
  const notified: string[] = [];
  (await provided(ProcessNotifications)).on(broadcastQueued, (id) => notified.push(id));
  return { ...(await inPostgres()), broadcasts: await provided(BroadcastRepository), notified };
});

describeContactRepository('in memory', async () => {
  const memberships = new InMemoryMemberships(new InMemorySegments());
  return { ...inMemory, memberships, contacts: new InMemoryContacts(memberships) };
});
describeContactRepository('in PostgreSQL', async () => ({
  ...(await inPostgres()),
  memberships: await provided(MembershipRepository),
  contacts: await provided(ContactRepository),
}));

describeDomainRepository('in memory', async () => ({ ...inMemory, domains: new InMemoryDomainRepository() }));
describeDomainRepository('in PostgreSQL', async () => ({
  ...(await inPostgres()),
  domains: await provided(DomainRepository),
}));

describeClaimRepository('in memory', async () => ({ ...inMemory, claims: new InMemoryClaimRepository() }));
describeClaimRepository('in PostgreSQL', async () => ({
  ...(await inPostgres()),
  claims: await provided(ClaimRepository),
}));

describeWebhookRepository('in memory', async () => ({ ...inMemory, webhooks: new InMemoryWebhookRepository() }));
describeWebhookRepository('in PostgreSQL', async () => ({
  ...(await inPostgres()),
  webhooks: await provided(WebhookRepository),
}));

describeRequestLogRepository('in memory', async () => new InMemoryRequestLogRepository());
describeRequestLogRepository('in PostgreSQL', () => provided(RequestLogRepository));

describeRouteRepository('memory', async () => ({
  routes: new InMemoryRoutes(),
  teamId: newId(),
  otherTeamId: newId(),
}));
describeRouteRepository('PostgreSQL', async () => ({
  routes: await provided(RouteRepository),
  teamId: await storedTeam(),
  otherTeamId: await storedTeam(),
}));

describeInboxRepository('in memory', async () => ({ ...inMemory, inboxes: new InMemoryInboxes() }));
describeInboxRepository('in PostgreSQL', async () => ({
  ...(await inPostgres()),
  inboxes: await provided(InboxRepository),
}));

describeImportRepository('in memory', async () => ({ ...inMemory, imports: new InMemoryImportRepository() }));
describeImportRepository('in PostgreSQL', async () => ({
  ...(await inPostgres()),
  imports: await provided(ImportRepository),
}));

describeReceivedEmails('in memory', async () => {
  const store = new InMemoryMessageStore();
  return { emails: new InMemoryReceivedEmails(store), store, teamId: newId(), otherTeamId: newId() };
});
describeReceivedEmails('in PostgreSQL', async () => ({
  emails: await provided(ReceivedEmails),
  store: await provided(MessageStore),
  teamId: await storedTeam(),
  otherTeamId: await storedTeam(),
}));
describeAccounts('memory', async () => {
  const { memberships, invitations, unitOfWork, users } = new InMemoryAccounts();
  const aUser = async (email: string): Promise<string> => users.add(email).id;
  return { ...inMemory, unitOfWork, memberships, invitations, counts: new InMemoryAttemptCounts(), aUser };
});
describeAccounts('PostgreSQL', async () => {
  const signIn = await provided(SignIn);
  return {
    ...(await inPostgres()),
    memberships: await provided(Memberships),
    invitations: await provided(Invitations),
    counts: await provided(AttemptCounts),
    aUser: (email: string) => signIn.createUser({ email, name: 'Name', password: 'a password of a test' }),
  };
});
