import { ProcessNotifications } from '#postgres/database';
import { Logger } from '#observability/logging';
import { Timers } from '#platform/timers';
import { Injectable } from '@nestjs/common';

/** What every `LeasedWork` uses of its process. */
@Injectable()
export class WorkHost {
  constructor(
    readonly timers: Timers,
    readonly notifications: ProcessNotifications,
    readonly logger: Logger,
  ) {}
}
