import { statfs } from 'node:fs/promises';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { DoctorCheck, Finding, green, red, yellow } from '../check.js';

const gigabyte = 1024 ** 3;

/** Without room nothing can be accepted. */
@Injectable()
export class DiskCheck extends DoctorCheck {
  readonly name = 'Disk';

  constructor(private readonly config: Config) {
    super();
  }

  async run(): Promise<readonly Finding[]> {
    const { dataDir } = this.config.values;
    const { bsize, bavail, blocks } = await statfs(dataDir);
    const free = bavail * bsize;
    const share = blocks === 0 ? 1 : bavail / blocks;
    const text = `${(free / gigabyte).toFixed(1)} GB (${Math.round(share * 100)} %) are free`;
    const fix = 'Make room, or move DATA_DIR to a larger disk.';
    if (free < gigabyte / 4) return [red(text, fix, dataDir)];
    return [free < 2 * gigabyte || share < 0.05 ? yellow(text, fix, dataDir) : green(text, dataDir)];
  }
}
