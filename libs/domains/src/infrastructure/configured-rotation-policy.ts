import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { RotationPolicy } from '../application/ports/rotation-policy.port.js';

const dayMs = 86_400_000;

@Injectable()
export class ConfiguredRotationPolicy extends RotationPolicy {
  readonly maxAgeMs: number | undefined;

  constructor({ values }: Config) {
    super();
    this.maxAgeMs = values.dkimRotationDays === 0 ? undefined : values.dkimRotationDays * dayMs;
  }
}
