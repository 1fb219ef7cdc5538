import { Clock, NotFoundError, Transaction, UnitOfWork, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { DomainBusyError, KeySlotOccupiedError } from '../domain/domain-errors.js';
import { statusOf } from '../domain/domain-status.js';
import { DkimKeyInfo, Domain, NewSigningKey, sendingRegion } from '../domain/domain.js';
import { isRotating } from '../domain/key-rotation.js';
import { DomainChanges, settingsWith } from '../domain/new-domain.js';
import { restarted } from '../domain/record-check.js';
import { DomainRecords } from './domain-records.js';
import { NewSigningKeys, publicSideOf } from './new-signing-keys.js';
import { DomainActivity, DomainRepository } from './ports/domain-repository.port.js';
import { ServiceNames } from './ports/service-names.port.js';

export interface DomainWithKeys {
  readonly domain: Domain;
  readonly keys: readonly DkimKeyInfo[];
}

interface Rotation extends DomainWithKeys {
  readonly added: readonly NewSigningKey[];
  readonly retired: readonly DkimKeyInfo[];
}

const maxTries = 5;

/** What a team does with a domain that it has: change the settings, verify the records, rotate the keys, delete it. */
@Injectable()
export class ChangeDomain {
  // oxlint-disable-next-line max-params -- One story: all changes of a domain go through the same tries.
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly domains: DomainRepository,
    private readonly newKeys: NewSigningKeys,
    private readonly records: DomainRecords,
    private readonly activity: DomainActivity,
    private readonly serviceNames: ServiceNames,
    private readonly clock: Clock,
  ) {}

  /**
   * Changes the settings, and announces it. If the domain then needs other records and verification has begun, they are
   * checked at once. Settings that have these values already are no change.
   */
  update(teamId: string, id: string, changes: DomainChanges): Promise<Domain> {
    const now = this.clock.now();
    return this.apply(
      teamId,
      id,
      (current) => ({ ...current, domain: this.changed(current, changes, now) }),
      ({ domain, keys }, transaction) => this.records.announce('domain.updated', domain, keys, now, transaction),
    );
  }

  /** Makes a check of the records due now, and starts waiting again for records that had failed. Returns at once. */
  verify(teamId: string, id: string): Promise<Domain> {
    const now = this.clock.now();
    return this.apply(
      teamId,
      id,
      (current) => ({ ...current, before: current.domain, domain: this.restarted(current, now) }),
      async ({ before, domain, keys }, transaction) => {
        if (before.status === domain.status) return;
        await this.records.announce('domain.updated', domain, keys, now, transaction);
      },
    );
  }

  /**
   * Begins a rotation: generates new keys that the customer is to publish. Each new key signs once its record has been
   * seen; until then the current keys sign, for any length of time. Changes nothing while a rotation is already under way.
   */
  rotateKeys(teamId: string, id: string): Promise<Domain> {
    const now = this.clock.now();
    return this.apply(
      teamId,
      id,
      (current) => this.rotated(current, now),
      async ({ domain, keys, added, retired }, transaction) => {
        await this.domains.updateKeyStates(retired, transaction);
        await this.domains.insertKeys(added, transaction);
        await this.records.announce('domain.updated', domain, keys, now, transaction);
      },
    );
  }

  /** Deletes a domain and its keys. Afterwards every team can register the name. */
  async delete(teamId: string, id: string): Promise<void> {
    const domain = await this.domains.read(id, teamId);
    if (domain === undefined) throw new NotFoundError('Domain');
    const keys = await this.domains.keys(id);
    await this.unitOfWork.run(async (transaction) => {
      if (!(await this.domains.delete(id, teamId, transaction))) throw new NotFoundError('Domain');
      await this.activity.domainDeleted(id, transaction);
      await this.records.announce('domain.deleted', domain, keys, this.clock.now(), transaction);
    });
  }

  /**
   * Reads a domain, lets `decide` change it, and writes it. If another request changed the domain meanwhile, starts
   * again with the new state, five tries in all.
   *
   * `decide` returns the domain as it should be, or the same object if nothing changes. `within` writes what belongs to
   * the change in the same transaction.
   */
  async apply<Decision extends { readonly domain: Domain }>(
    teamId: string,
    id: string,
    decide: (current: DomainWithKeys) => Promise<Decision> | Decision,
    within: (decision: Decision, transaction: Transaction) => Promise<void>,
  ): Promise<Domain> {
    for (let tries = 0; tries < maxTries; tries++) {
      const domain = await this.domains.read(id, teamId);
      if (domain === undefined) throw new NotFoundError('Domain');
      const decision = await decide({ domain, keys: await this.domains.keys(id) });
      if (decision.domain === domain) return domain;
      const isWritten = await this.unitOfWork.run(async (transaction) => {
        if (!(await this.domains.update(decision.domain, transaction))) return false;
        await within(decision, transaction);
        return true;
      });
      if (isWritten) return decision.domain;
    }
    throw new DomainBusyError();
  }

  private changed({ domain, keys }: DomainWithKeys, changes: DomainChanges, now: Date): Domain {
    const changed = this.placed(
      domain,
      { ...domain, ...settingsWith(changes, domain.customReturnPath, domain) },
      changes,
      now,
    );
    if (isSame(domain, changed)) return domain;
    if (domain.sandbox || this.records.areSame(domain, changed, keys)) return changed;
    const begun = domain.status !== 'not_started';
    const checks = this.records.align(
      changed,
      keys,
      begun ? { status: 'pending', since: now.toISOString() } : { status: 'not_started' },
    );
    return {
      ...changed,
      checks,
      status: statusOf(Object.values(checks)),
      nextCheckAt: begun ? now : domain.nextCheckAt,
    };
  }

  /** Mail that waits follows a domain into another region. */
  private placed(before: Domain, changed: Domain, { region }: DomainChanges, now: Date): Domain {
    const isMoved = region !== undefined && this.serviceNames.regionOf(region) !== before.region;
    const placed = {
      ...changed,
      region: region ?? before.region,
      standIn: isMoved || !changed.failover ? null : before.standIn,
    };
    return sendingRegion(placed) === sendingRegion(before) ? placed : { ...placed, movedAt: now };
  }

  private restarted({ domain, keys }: DomainWithKeys, now: Date): Domain {
    if (domain.sandbox) return domain;
    const checks = Object.fromEntries(
      Object.entries(this.records.align(domain, keys)).map(([key, check]) => [
        key,
        restarted(check, check.purpose, now),
      ]),
    );
    return { ...domain, checks, status: statusOf(Object.values(checks)), nextCheckAt: now };
  }

  private async rotated(current: DomainWithKeys, now: Date): Promise<Rotation> {
    const { domain, keys } = current;
    if (domain.sandbox) throw new ValidationError('The keys of a sandbox domain are not in the DNS.');
    if (isRotating(keys)) return { ...current, added: [], retired: [] };
    const next = { ...domain, dkimGeneration: domain.dkimGeneration + 1 };
    const added = [
      await this.newKeys.generate(next, 'rsa-sha256', false, now),
      await this.newKeys.generate(next, 'ed25519-sha256', false, now),
    ];
    if (added.some(({ selector }) => keys.some((key) => key.selector === selector))) throw new KeySlotOccupiedError();
    // An Ed25519 key that was never seen in the DNS has signed nothing, so the new key replaces it.
    const retired = keys
      .filter(({ state }) => state === 'published')
      .map((key): DkimKeyInfo => ({ ...key, state: 'retired', retiredAt: now }));
    const kept = keys.map((key) => retired.find(({ id }) => id === key.id) ?? key);
    const allKeys = [...kept, ...added.map(publicSideOf)];
    return {
      domain: { ...next, checks: this.records.align(next, allKeys), nextCheckAt: now },
      keys: allKeys,
      added,
      retired,
    };
  }
}

function isSame(before: Domain, after: Domain): boolean {
  return (Object.keys(after) as (keyof Domain)[]).every((field) => after[field] === before[field]);
}
