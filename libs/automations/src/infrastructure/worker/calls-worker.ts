import { LeasedWork, WorkHost } from '#queue/leases';
import { Injectable } from '@nestjs/common';
import { MakeCalls } from '../../application/make-calls.use-case.js';
import { callsAreDue, LeasedCall } from '../../application/ports/step-calls.port.js';

/** Makes the calls that runs wait for, in every worker. */
@Injectable()
export class CallsWorker extends LeasedWork<LeasedCall> {
  constructor(
    host: WorkHost,
    private readonly calls: MakeCalls,
  ) {
    super(host, { task: 'calling for automations', everyMs: 1_000, wokenBy: callsAreDue, maxLeases: 64 });
  }

  protected claim(limit: number): Promise<readonly LeasedCall[]> {
    return this.calls.lease(limit);
  }

  protected work(call: LeasedCall): Promise<void> {
    return this.calls.make(call);
  }
}
