import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import { Clock, Notice, Notices } from '#kernel';
import { Config } from '#platform/config';
import { Logger } from '#observability/logging';

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2).toLocaleString('en')} MB`;

/**
 * The notice of a nearly full disk. Its key allows one notice per machine and day, for any number of processes and
 * changes.
 */
function diskNotice(dataDir: string, freeBytes: number, wantedBytes: number, now: Date): Notice {
  const host = hostname();
  return {
    key: `disk-low:${host}:${now.toISOString().slice(0, 10)}`,
    subject: `Postrider on ${host} accepts no mail: its disk is nearly full`,
    text: [
      `The disk of DATA_DIR (${dataDir}) on ${host} has ${megabytes(freeBytes)} left. Below ${megabytes(wantedBytes)}, no new mail is accepted. Mail that was already accepted is delivered.`,
      'Free up some space. Mail is accepted again automatically once there is room.',
    ].join('\n\n'),
  };
}

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
