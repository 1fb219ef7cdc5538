import { Clock, Notice, Notices } from '#kernel';
import { Config } from '#platform/config';
import { Logger } from '#observability/logging';
import { Injectable } from '@nestjs/common';
import { diskNotice } from './disk-notice.js';

/** Tells the operator that the disk is nearly full. */
@Injectable()
export class DiskNotices {
  private untold: Notice | undefined;

  constructor(
    private readonly notices: Notices,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  add(freeBytes: number, wantedBytes: number): void {
    this.untold = diskNotice(this.config.values.dataDir, freeBytes, wantedBytes, this.clock.now());
  }

  /** Never rejects. What cannot be announced now is announced by a later call. */
  async tell(): Promise<void> {
    const notice = this.untold;
    if (notice === undefined) return;
    this.untold = undefined;
    try {
      await this.notices.announce(notice);
    } catch (error) {
      this.untold ??= notice;
      this.logger.debug({ error }, 'the notice of the disk could not be announced');
    }
  }
}
