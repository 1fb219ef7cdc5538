import { Cells } from '#cells';
import { whenKnown } from '#kernel';
import type { MaybePromise } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Domain } from '../domain/domain.js';
import { RecordCheck } from '../domain/record-check.js';
import { DomainRepository } from './ports/domain-repository.port.js';

export interface ReceivingDomain {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  /**
   * Whether a record of the domain has shown that it is the team's. Otherwise anybody could receive the mail of a domain by
   * registering its name.
   */
  readonly isProven: boolean;
  /** Whether the MX record of the domain names this service, so that its mail need not leave the machine. */
  readonly isMailHost: boolean;
}

/** Reads domains for the receipt of mail. Called for every recipient, and answered from a cache of a few seconds. */
@Injectable()
export class ReceivingDomains {
  constructor(
    private readonly domains: DomainRepository,
    private readonly cells: Cells,
  ) {}

  /** Returns undefined if no team receives mail for this name in this cell. A subdomain is a separate domain. */
  find(name: string): MaybePromise<ReceivingDomain | undefined> {
    return whenKnown(this.domains.findOwned(name.toLowerCase()), (domain) => this.receiving(domain));
  }

  private receiving(domain: Domain | undefined): ReceivingDomain | undefined {
    if (domain === undefined || !domain.receiving || !this.cells.hasMailOf(domain.region)) return undefined;
    const { id, teamId, sandbox, checks } = domain;
    const isMailHost = sandbox || isSeen(checks.receiving);
    return { id, teamId, name: domain.name, isProven: isMailHost || hasProof(domain), isMailHost };
  }
}

/** A record that only the owner of the domain can have published. A look-up may have failed since. */
function hasProof({ checks }: Domain): boolean {
  return Object.values(checks).some((check) => check.purpose === 'sending' && isSeen(check));
}

function isSeen(check: RecordCheck | undefined): boolean {
  return check?.status === 'verified' || check?.status === 'temporary_failure';
}
