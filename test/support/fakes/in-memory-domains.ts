import { ClaimChanges } from '../../../libs/domains/src/application/claim-changes.js';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from './in-memory-unit-of-work.js';
import { ChangeDomain } from '../../../libs/domains/src/application/change-domain.use-case.js';
import { CheckDomains } from '../../../libs/domains/src/application/check-domains.use-case.js';
import { CreateDomain } from '../../../libs/domains/src/application/create-domain.use-case.js';
import { DomainRecords } from '../../../libs/domains/src/application/domain-records.js';
import { RecordInspector } from '../../../libs/domains/src/application/inspection/record-inspector.js';
import { KeyPair, NewSigningKeys } from '../../../libs/domains/src/application/new-signing-keys.js';
import { DomainActivity } from '../../../libs/domains/src/application/ports/domain-repository.port.js';
import { ServiceNames } from '../../../libs/domains/src/application/ports/service-names.port.js';
import { DkimAlgorithm, dkimRecord, Domain } from '../../../libs/domains/src/domain/domain.js';
import { DomainClaim } from '../../../libs/domains/src/domain/domain-claim.js';
import { ServiceHosts } from '../../../libs/domains/src/domain/expected-record.js';
import { NewDomain } from '../../../libs/domains/src/domain/new-domain.js';
import {
  InMemoryDnsResolver,
  ZoneRecords,
} from '../../../libs/domains/src/infrastructure/dns/in-memory-dns-resolver.js';
import { InMemoryClaimRepository } from './in-memory-claim-repository.js';
import { InMemoryDomainRepository } from './in-memory-domain-repository.js';
import { FakeClock } from './fake-clock.js';
import { RecordedTeamEvents } from './recorded-team-events.js';

const hosts = new Map([
  ['us-east-1', 'mail.service.test'],
  ['eu-west-1', 'mail.eu.service.test'],
]);

class TwoRegions extends ServiceNames {
  readonly regions = [...hosts.keys()];

  hostsOf(region: string): ServiceHosts {
    return { host: hosts.get(region) as string, spfInclude: undefined };
  }
}

/** Key pairs that cost nothing and are all different. */
class NumberedKeys extends NewSigningKeys {
  private count = 0;

  protected override async pair(algorithm: DkimAlgorithm): Promise<KeyPair> {
    const number = String(this.count++).padStart(8, '0');
    const rsa = `MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA${number.repeat(36)}QIDAQAB`;
    const ed25519 = Buffer.from(number.repeat(4)).toString('base64');
    return { publicKey: algorithm === 'rsa-sha256' ? rsa : ed25519, privateKey: `private key ${number}` };
  }
}

class SetActivity extends DomainActivity {
  isScheduling = false;
  lastSentAt: Date | undefined;
  readonly deleted: string[] = [];

  async hasScheduledEmails(): Promise<boolean> {
    return this.isScheduling;
  }

  async hasSentSince(_teamId: string, _domainId: string, since: Date): Promise<boolean> {
    return this.lastSentAt !== undefined && this.lastSentAt >= since;
  }

  async domainDeleted(domainId: string): Promise<void> {
    this.deleted.push(domainId);
  }
}

/** Everything that the use cases of domains take, in memory: a team, and a DNS that a test writes. */
export class InMemoryDomains {
  readonly teamId = newId();
  readonly clock = new FakeClock();
  readonly unitOfWork = new InMemoryUnitOfWork();
  readonly domains = new InMemoryDomainRepository();
  readonly claims = new InMemoryClaimRepository();
  readonly events = new RecordedTeamEvents();
  readonly activity = new SetActivity();
  readonly dns = new InMemoryDnsResolver();
  readonly names = new TwoRegions();
  readonly records = new DomainRecords(this.names, this.events);
  readonly newKeys = new NumberedKeys();
  readonly inspector = new RecordInspector(this.dns);
  readonly change = new ChangeDomain(
    this.unitOfWork,
    this.domains,
    this.newKeys,
    this.records,
    this.activity,
    this.names,
    this.clock,
  );
  readonly createDomain = new CreateDomain(
    this.unitOfWork,
    this.domains,
    this.newKeys,
    this.records,
    this.names,
    this.clock,
  );
  readonly claimChanges = new ClaimChanges(
    this.claims,
    this.domains,
    this.createDomain,
    this.records,
    this.activity,
    this.unitOfWork,
  );
  readonly checks = new CheckDomains(this.domains, this.records, this.inspector, this.dns, this.unitOfWork, this.clock);

  constructor() {
    for (const host of hosts.values()) this.dns.set(host, { a: ['192.0.2.1'] });
  }

  create(fields: Partial<NewDomain> = {}, teamId = this.teamId): Promise<Domain> {
    return this.createDomain.create(teamId, { name: 'acme.test', ...fields });
  }

  createSandbox(name = 'sandbox.test'): Promise<Domain> {
    return this.unitOfWork.run((transaction) => this.createDomain.createSandbox(this.teamId, name, transaction));
  }

  /** A domain whose records are all published and have been seen. */
  async createVerified(fields: Partial<NewDomain> = {}, teamId = this.teamId): Promise<Domain> {
    const { id } = await this.create(fields, teamId);
    await this.publish(id);
    await this.checks.check(id);
    return this.read(id);
  }

  async read(id: string): Promise<Domain> {
    const domain = await this.domains.read(id);
    if (domain === undefined) throw new Error(`there is no domain ${id}`);
    return domain;
  }

  /** States of the keys of one algorithm, oldest first. */
  async keyStates(id: string, algorithm: DkimAlgorithm = 'rsa-sha256'): Promise<string[]> {
    return (await this.domains.keys(id)).filter((key) => key.algorithm === algorithm).map(({ state }) => state);
  }

  /** Publishes every record of the domain as it should be now. */
  async publish(id: string): Promise<void> {
    const zones = new Map<string, ZoneRecords>();
    const add = (name: string, records: ZoneRecords) => zones.set(name, { ...zones.get(name), ...records });
    for (const record of this.records.expected(await this.read(id), await this.domains.keys(id))) {
      switch (record.kind) {
        case 'dkim-alias':
          add(record.host, { cname: record.value });
          if (record.publicKey !== undefined) add(record.value, { txt: [dkimRecord(record.publicKey)] });
          break;
        case 'return-path':
        case 'receiving':
          add(record.host, { mx: [{ exchange: record.value, preference: record.priority }] });
          break;
        case 'tracking':
          add(record.host, { cname: record.value });
          break;
        default:
          add(record.host, { txt: [record.value] });
      }
    }
    for (const [name, records] of zones) this.dns.set(name, records);
  }

  /** An open claim of a name by another team; only what a test is about is given. */
  aClaim(fields: Partial<DomainClaim> = {}): DomainClaim {
    const createdAt = this.clock.now();
    const name = fields.name ?? 'acme.test';
    return {
      id: newId(),
      teamId: newId(),
      domainId: newId(),
      name,
      status: 'pending',
      settings: { name },
      token: 'token',
      blockedReason: null,
      failureReason: null,
      provenAt: null,
      nextCheckAt: null,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + 7 * 86_400_000),
      ...fields,
    };
  }
}
