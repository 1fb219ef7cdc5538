import { isUuid, Page, PageRequest, NotFoundError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Suppression, SuppressionOrigin, suppressionKey } from '../domain/suppression.js';
import { SuppressionChoice, SuppressionRepository } from './ports/suppression-repository.port.js';

/** What a team does with the addresses it has suppressed. */
@Injectable()
export class ManageSuppressions {
  constructor(private readonly suppressions: SuppressionRepository) {}

  list(teamId: string, page: PageRequest, origin: SuppressionOrigin | undefined): Promise<Page<Suppression>> {
    return this.suppressions.list(teamId, page, origin);
  }

  async find(teamId: string, idOrEmail: string): Promise<Suppression> {
    const suppression = await this.suppressions.find(teamId, choiceOf(idOrEmail));
    if (suppression === undefined) throw new NotFoundError('Suppression');
    return suppression;
  }

  async remove(teamId: string, idOrEmail: string): Promise<{ readonly id: string }> {
    const [id] = await this.suppressions.remove(teamId, choiceOf(idOrEmail));
    if (id === undefined) throw new NotFoundError('Suppression');
    return { id };
  }

  removeAll(teamId: string, choice: SuppressionChoice): Promise<readonly string[]> {
    return this.suppressions.remove(teamId, choice);
  }
}

function choiceOf(idOrEmail: string): SuppressionChoice {
  return isUuid(idOrEmail) ? { ids: [idOrEmail.toLowerCase()] } : { emails: [suppressionKey(idOrEmail)] };
}
