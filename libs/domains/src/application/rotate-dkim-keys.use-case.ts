import { Clock, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { KeySlotOccupiedError } from '../domain/domain-errors.js';
import { DkimKeyInfo, Domain, NewSigningKey } from '../domain/domain.js';
import { isRotating } from '../domain/key-rotation.js';
import { ChangeDomain, DomainWithKeys } from './change-domain.js';
import { DomainRecords } from './domain-records.js';
import { NewSigningKeys, publicSideOf } from './new-signing-keys.js';
import { DomainRepository } from './ports/domain-repository.port.js';

/**
 * Begins a rotation: generates new keys that the customer is to publish. Each new key signs once its record has been
 * seen; until then the current keys sign, for any length of time. Changes nothing while a rotation is already under
 * way.
 */
@Injectable()
export class RotateDkimKeys {
  constructor(
    private readonly change: ChangeDomain,
    private readonly domains: DomainRepository,
    private readonly newKeys: NewSigningKeys,
    private readonly records: DomainRecords,
    private readonly clock: Clock,
  ) {}

  execute(teamId: string, id: string): Promise<Domain> {
    const now = this.clock.now();
    return this.change.execute(
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

interface Rotation extends DomainWithKeys {
  readonly added: readonly NewSigningKey[];
  readonly retired: readonly DkimKeyInfo[];
}
