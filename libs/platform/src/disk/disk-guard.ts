import { Clock, Notice, Notices } from '#kernel';
import { Config } from '#platform/config';
import { Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { BeforeApplicationShutdown, Injectable, OnModuleInit } from '@nestjs/common';
import { diskNotice } from './disk-notice.js';
import { Disk, DiskRoom } from './disk.port.js';

/** Interval of the checks. 2,000 messages of 40 KB in a second are 80 MB, far less than the free space that is kept. */
const lookEveryMs = 1_000;
const megabyte = 1024 * 1024;
/** On a small disk, the limit is at most this fraction of its size. */
const maxShare = 0.05;
/** Mail is accepted again when the free space is this factor above the limit, so that the state does not change all the time. */
const recovery = 1.1;

/** Free bytes below which nothing is accepted. */
export function freeBytesWanted(config: Config, { totalBytes }: DiskRoom): number {
  return Math.min(config.values.minFreeMegabytes * megabyte, totalBytes * maxShare);
}

/**
 * Tells whether there is disk space for more mail. A full disk stops PostgreSQL, and with it delivery, so new mail is refused
 * before the disk is full.
 */
@Injectable()
export class DiskGuard implements OnModuleInit, BeforeApplicationShutdown {
  private low = false;
  private failing = false;
  private timer: NodeJS.Timeout | undefined;
  private unannounced: Notice | undefined;
  private readonly gauges;

  constructor(
    private readonly disk: Disk,
    private readonly config: Config,
    private readonly notices: Notices,
    private readonly clock: Clock,
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
    this.timer = setInterval(() => void this.look(), lookEveryMs);
    this.timer.unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** An error while reading the free space changes nothing, because it is no reason to refuse mail. */
  private async look(): Promise<void> {
    try {
      this.judge(await this.disk.room());
      this.failing = false;
      void this.tell();
    } catch (error) {
      if (!this.failing) this.logger.warn({ error }, 'the free space on the disk cannot be read');
      this.failing = true;
    }
  }

  /** Announces a pending notice. It is not awaited, because the checks must not wait for the database. A failure is tried again. */
  private async tell(): Promise<void> {
    const notice = this.unannounced;
    if (notice === undefined) return;
    this.unannounced = undefined;
    try {
      await this.notices.announce(notice);
    } catch (error) {
      this.unannounced ??= notice;
      this.logger.debug({ error }, 'the notice of the disk could not be announced');
    }
  }

  private judge(room: DiskRoom): void {
    const wanted = freeBytesWanted(this.config, room) * (this.low ? recovery : 1);
    const low = room.freeBytes < wanted;
    if (low !== this.low) this.announce(low, room, wanted);
    this.low = low;
    this.gauges.free.set(room.freeBytes);
    this.gauges.size.set(room.totalBytes);
    this.gauges.accepting.set(low ? 0 : 1);
  }

  private announce(low: boolean, { freeBytes }: DiskRoom, wanted: number): void {
    if (low) this.unannounced = diskNotice(this.config.values.dataDir, freeBytes, wanted, this.clock.now());
    if (low)
      this.logger.error({ freeBytes }, 'the disk is nearly full: no mail is accepted until there is enough free space');
    else this.logger.info({ freeBytes }, 'the disk has enough free space again: mail is accepted');
  }
}
