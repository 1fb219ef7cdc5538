import { WorkSearch } from '#postgres/events';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { Removals } from '../../application/ports/contact-repository.port.js';

const pauseMs = 2_000;
/** Batches of one turn, so that a stop does not wait for a large removal. */
const maxBatches = 20;

/** Removes in the background what deleted segments, topics, properties and contacts left. */
@Injectable()
export class AudienceTidying implements OnApplicationBootstrap {
  constructor(
    private readonly removals: Removals,
    private readonly search: WorkSearch,
  ) {}

  onApplicationBootstrap(): void {
    const found = '(SELECT id FROM audience_removals ORDER BY team_id, id LIMIT 1) IS NOT NULL';
    this.search.every(pauseMs, 'removing deleted parts of the audience', found, () => this.tidy());
  }

  private async tidy(): Promise<void> {
    for (let batch = 0; batch < maxBatches; batch++) if (!(await this.removals.step())) return;
  }
}
