import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { ReceivingPolicy } from '../application/ports/receiving-policy.port.js';
import { RefusalPolicy } from '../domain/refusal-policy.js';

@Injectable()
export class ConfiguredReceivingPolicy extends ReceivingPolicy {
  readonly refusals: RefusalPolicy;
  readonly maxScans: number;

  constructor({ values }: Config) {
    super();
    this.maxScans = values.inboundScans;
    this.refusals = {
      enforcesDmarc: values.inboundDmarc === 'reject',
      refusesSpam: values.inboundSpam === 'reject',
      refusesViruses: values.inboundViruses === 'reject',
    };
  }
}
