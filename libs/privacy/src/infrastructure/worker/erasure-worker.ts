import { LeasedWork, WorkHost } from '#queue/leases';
import { Injectable } from '@nestjs/common';
import { CarryOutErasures } from '../../application/carry-out-erasures.use-case.js';
import { LeasedErasure } from '../../domain/erasure.js';

/** Carries out erasures, a portion at a time, in every worker. The claim of the next portion renews the lease. */
@Injectable()
export class ErasureWorker extends LeasedWork<LeasedErasure> {
  constructor(
    host: WorkHost,
    private readonly erasures: CarryOutErasures,
  ) {
    super(host, {
      task: 'erasing personal data',
      found: `(SELECT team_id FROM privacy_erasures WHERE status = 'pending' ORDER BY team_id LIMIT 1) IS NOT NULL`,
      everyMs: 2_000,
      renewEveryMs: 20_000,
    });
  }

  protected async claim(): Promise<readonly LeasedErasure[]> {
    const erasure = await this.erasures.claim();
    return erasure === undefined ? [] : [erasure];
  }

  protected override renew(erasure: LeasedErasure): Promise<void> {
    return this.erasures.renew(erasure);
  }

  protected work(erasure: LeasedErasure): Promise<void> {
    return this.erasures.work(erasure);
  }
}
