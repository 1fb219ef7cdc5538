import { Clock, newId, Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { SuppressionOrigin, suppressionKey } from '../domain/suppression.js';
import { SuppressionRepository } from './ports/suppression-repository.port.js';

export interface NewSuppression {
  readonly teamId: string;
  /** A valid address, in any case. */
  readonly email: string;
  readonly origin: SuppressionOrigin;
  /** The email that bounced or was reported. */
  readonly sourceId: string | null;
}

/** From now on nothing is sent to these addresses. Also the way in for whoever reads bounces and complaints. */
@Injectable()
export class AddSuppression {
  constructor(
    private readonly suppressions: SuppressionRepository,
    private readonly clock: Clock,
  ) {}

  /** Ids in the order asked. Adding what is there already answers with the id it has. */
  execute(additions: readonly NewSuppression[], transaction?: Transaction): Promise<readonly string[]> {
    const createdAt = this.clock.now();
    const suppressions = additions.map((addition) => ({
      ...addition,
      id: newId(createdAt.getTime()),
      email: suppressionKey(addition.email),
      createdAt,
    }));
    return this.suppressions.add(suppressions, transaction);
  }
}
