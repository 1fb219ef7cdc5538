import { Config } from '#platform/config';
import { Logger } from '#observability/logging';
import { Metrics } from '#observability/metrics';
import { Timers } from '#platform/timers';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { DiskNotices } from './disk-notices.js';
import { Disk, DiskSpace } from './disk.port.js';

/** Interval of the checks. 2,000 messages of 40 KB in a second are 80 MB, far less than the free space that is kept. */
const lookEveryMs = 1_000;
const megabyte = 1024 * 1024;
/** On a small disk, the limit is at most this fraction of its size. */
const maxShare = 0.05;
/**
 * Mail is accepted again when the free space is this factor above the limit, so that the state does not change all the
 * time.
 */
const recovery = 1.1;

/** Free bytes below which nothing is accepted. */
export function freeBytesWanted(config: Config, { totalBytes }: DiskSpace): number {
  return Math.min(config.values.minFreeMegabytes * megabyte, totalBytes * maxShare);
}

/**
 * Tells whether there is disk space for more mail. A full disk stops PostgreSQL, and with it delivery, so new mail is
 * refused before the disk is full.
 */
@Injectable()
export class DiskGuard implements OnModuleInit {
  private low = false;
  private failing = false;
  private readonly gauges;

  constructor(
    private readonly disk: Disk,
    private readonly config: Config,
    private readonly notices: DiskNotices,
    private readonly timers: Timers,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.gauges = {
      free: metrics.gauge('postrider_disk_free_bytes', 'Free room on the disk of DATA_DIR', { across: 'min' }),
      size: metrics.gauge('postrider_disk_size_bytes', 'Size of the disk of DATA_DIR'),
      accepting: metrics.gauge(
        'postrider_disk_accepting',
        '1 while there is room for more mail, 0 while it is refused',
        { across: 'min' },
      ),
    };
  }

  /** The disk is nearly full, and no new mail is accepted. */
  get isLow(): boolean {
    return this.low;
  }

  async onModuleInit(): Promise<void> {
    await this.look();
    this.timers.every(lookEveryMs, 'looking at the disk', () => this.look());
  }

  /** An error while reading the free space changes nothing, because it is no reason to refuse mail. */
  private async look(): Promise<void> {
    try {
      this.judge(await this.disk.space());
      this.failing = false;
      // The next look does not wait for the database.
      void this.notices.tell();
    } catch (error) {
      if (!this.failing) this.logger.warn({ error }, 'the free space on the disk cannot be read');
      this.failing = true;
    }
  }

  private judge(space: DiskSpace): void {
    const wanted = freeBytesWanted(this.config, space) * (this.low ? recovery : 1);
    const low = space.freeBytes < wanted;
    if (low !== this.low) this.announce(low, space, wanted);
    this.low = low;
    this.gauges.free.set(space.freeBytes);
    this.gauges.size.set(space.totalBytes);
    this.gauges.accepting.set(low ? 0 : 1);
  }

  private announce(low: boolean, { freeBytes }: DiskSpace, wanted: number): void {
    if (low) this.notices.add(freeBytes, wanted);
    if (low) this.logger.error({ freeBytes }, 'the disk is nearly full: no mail is accepted until there is room again');
    else this.logger.info({ freeBytes }, 'there is room on the disk again: mail is accepted');
  }
}
