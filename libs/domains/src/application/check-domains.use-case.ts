import { Clock, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { BrandLogo } from '../domain/brand-logo.js';
import { DkimKeyInfo, Domain } from '../domain/domain.js';
import { nextCheckAt, statusOf } from '../domain/domain-status.js';
import { dnsProviderOf } from '../domain/dns-provider.js';
import { ExpectedRecord } from '../domain/expected-record.js';
import { isRotating, KeySightings, KeyTransitions, moveKeys } from '../domain/key-rotation.js';
import { Finding, nextCheck, RecordCheck, RecordChecks } from '../domain/record-check.js';
import { DomainRecords } from './domain-records.js';
import { RecordInspector } from './inspection/record-inspector.js';
import { DnsResolver, DnsUnavailableError } from './ports/dns-resolver.port.js';
import { DomainRepository } from './ports/domain-repository.port.js';

export interface CheckedDomain {
  readonly before: Domain;
  readonly domain: Domain;
}

/** Much longer than the look-ups of one domain take when no name server responds. */
const leaseMs = 5 * 60_000;

/** Looks at the records of one check, while others change the domain. */
const maxTries = 3;

/** Inspects the DNS records of domains, and stores the results. */
@Injectable()
export class CheckDomains {
  constructor(
    private readonly domains: DomainRepository,
    private readonly records: DomainRecords,
    private readonly inspector: RecordInspector,
    private readonly dns: DnsResolver,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Leases domains whose check is due, at most `limit`. A domain whose check fails is due again when its lease ends. */
  claimDue(limit: number, held: readonly string[] = []): Promise<readonly string[]> {
    const now = this.clock.now();
    return this.domains.takeDueChecks(now, new Date(now.getTime() + leaseMs), limit, held);
  }

  /**
   * Inspects all records of a domain. Starts again if the domain is changed meanwhile, since the result no longer applies
   * to it. Returns undefined if the domain is deleted, or changed each time.
   */
  async check(id: string): Promise<CheckedDomain | undefined> {
    for (let tries = 0; tries < maxTries; tries++) {
      const before = await this.domains.read(id);
      if (before === undefined || before.sandbox) return undefined;
      const domain = await this.checked(before);
      if (domain !== undefined) return { before, domain };
    }
    return undefined;
  }

  private async checked(before: Domain): Promise<Domain | undefined> {
    const keys = await this.domains.keys(before.id);
    const { findings, sightings, ...facts } = await this.look(before, keys);
    const now = this.clock.now();
    const moved = moveKeys(keys, sightings, before.dkimPublication, now);
    const domain = this.after({ ...before, ...facts }, moved.keys, findings, now);
    return (await this.write(before, domain, moved, now)) ? domain : undefined;
  }

  /** Asks the DNS everything, before any transaction begins. */
  private async look(
    domain: Domain,
    keys: readonly DkimKeyInfo[],
  ): Promise<{
    findings: Map<string, Finding>;
    sightings: KeySightings;
    dnsProvider: string | null;
    brandLogo: BrandLogo | null;
  }> {
    const zone = this.records.zoneOf(domain.name);
    const expected = this.records.expected(domain, keys);
    const [found, published, dnsProvider, logo] = await Promise.all([
      Promise.all(expected.map((record) => this.inspector.inspect(record, [domain.name, zone]))),
      this.publishedKeys(expected),
      this.providerOf([domain.name, zone], domain.dnsProvider),
      domain.sending ? this.inspector.brandLogo([domain.name, zone]) : null,
    ]);
    const findings = new Map(expected.map((record, index) => [record.key, found[index] as Finding]));
    const gone = expected.flatMap((record) => {
      const kind = findings.get(record.key)?.kind;
      const key = 'publicKey' in record ? record.publicKey : undefined;
      return key !== undefined && (kind === 'missing' || kind === 'wrong') ? [key.id] : [];
    });
    const brandLogo = logo === undefined ? domain.brandLogo : logo;
    return { findings, sightings: { seen: new Set(published), gone: new Set(gone) }, dnsProvider, brandLogo };
  }

  private async publishedKeys(expected: readonly ExpectedRecord[]): Promise<string[]> {
    const waiting = expected.flatMap((record) =>
      'publicKey' in record && record.publicKey?.state === 'published'
        ? [{ host: record.host, key: record.publicKey }]
        : [],
    );
    const seen = await Promise.all(waiting.map(({ host, key }) => this.inspector.seesKey(host, key)));
    return waiting.filter((_, index) => seen[index]).map(({ key }) => key.id);
  }

  private after(
    domain: Domain,
    keys: readonly DkimKeyInfo[],
    findings: ReadonlyMap<string, Finding>,
    now: Date,
  ): Domain {
    const checks: RecordChecks = Object.fromEntries(
      this.records.expected(domain, keys).map(({ key, purpose }): [string, RecordCheck] => {
        const finding = findings.get(key) ?? { kind: 'unknown', reason: 'not inspected' };
        return [key, nextCheck(domain.checks[key], purpose, finding, now)];
      }),
    );
    const all = Object.values(checks);
    const status = statusOf(all);
    const waitingSince = all.flatMap(({ since }) => (since === undefined ? [] : [Date.parse(since)]));
    const oldest = waitingSince.length === 0 ? undefined : new Date(Math.min(...waitingSince));
    return {
      ...domain,
      checks,
      status,
      checkedAt: now,
      nextCheckAt: nextCheckAt({ status, waitingSince: oldest, rotating: isRotating(keys) }, now, Math.random()),
    };
  }

  private write(before: Domain, domain: Domain, moved: KeyTransitions, now: Date): Promise<boolean> {
    return this.unitOfWork.run(async (transaction) => {
      if (!(await this.domains.update(domain, transaction))) return false;
      await this.domains.updateKeyStates(moved.changed, transaction);
      await this.domains.deleteKeys(moved.deletedIds, transaction);
      if (changed(before, domain) || moved.changed.length > 0) {
        await this.records.announce('domain.updated', domain, moved.keys, now, transaction);
      }
      return true;
    });
  }

  /** Keeps the known provider if the DNS gives no answer or the name servers are of no known provider. */
  private async providerOf(names: readonly string[], known: string | null): Promise<string | null> {
    try {
      for (const name of new Set(names)) {
        const provider = dnsProviderOf(await this.dns.ns(name));
        if (provider !== undefined) return provider;
      }
      return known;
    } catch (error) {
      if (error instanceof DnsUnavailableError) return known;
      throw error;
    }
  }
}

function changed(before: Domain, after: Domain): boolean {
  if (before.status !== after.status) return true;
  const keys = new Set([...Object.keys(before.checks), ...Object.keys(after.checks)]);
  return [...keys].some((key) => before.checks[key]?.status !== after.checks[key]?.status);
}
