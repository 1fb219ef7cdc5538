import { ProcessNotifications } from '#platform/database';
import { Logger } from '#platform/logging';
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
