import { Clock, NotFoundError, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { DomainRecords } from './domain-records.js';
import { DomainActivity } from './ports/domain-activity.port.js';
import { DomainRepository } from './ports/domain-repository.port.js';

/** Deletes a domain and its keys. Afterwards every team can register the name. */
@Injectable()
export class DeleteDomain {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly domains: DomainRepository,
    private readonly records: DomainRecords,
    private readonly activity: DomainActivity,
    private readonly clock: Clock,
  ) {}

  async execute(teamId: string, id: string): Promise<void> {
    const domain = await this.domains.read(id, teamId);
    if (domain === undefined) throw new NotFoundError('Domain');
    const keys = await this.domains.keys(id);
    await this.unitOfWork.run(async (transaction) => {
      if (!(await this.domains.delete(id, teamId, transaction))) throw new NotFoundError('Domain');
      await this.activity.domainDeleted(id, transaction);
      await this.records.announce('domain.deleted', domain, keys, this.clock.now(), transaction);
    });
  }
}
