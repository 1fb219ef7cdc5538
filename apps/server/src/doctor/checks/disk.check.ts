import { Config } from '#platform/config';
import { Disk, freeBytesWanted } from '#observability/disk';
import { Injectable } from '@nestjs/common';
import { DoctorCheck, DoctorFinding, green, red, yellow } from '../check.js';

const gigabyte = 1024 ** 3;

/** Without free disk space no mail can be accepted. */
@Injectable()
export class DiskCheck extends DoctorCheck {
  readonly name = 'Disk';
  /** `DiskGuard` looks more often. */
  override readonly isWatched = false;

  constructor(
    private readonly config: Config,
    private readonly disk: Disk,
  ) {
    super();
  }

  async run(): Promise<readonly DoctorFinding[]> {
    const { dataDir } = this.config.values;
    const space = await this.disk.space();
    const free = space.freeBytes;
    const share = space.totalBytes === 0 ? 1 : free / space.totalBytes;
    const text = `${(free / gigabyte).toFixed(1)} GB (${Math.round(share * 100)} %) are free`;
    const fix = 'Free disk space, or move DATA_DIR to a larger disk.';
    if (free < freeBytesWanted(this.config, space)) return [red(`${text}: no mail is accepted`, fix, dataDir)];
    return [free < 2 * gigabyte || share < 0.05 ? yellow(text, fix, dataDir) : green(text, dataDir)];
  }
}
