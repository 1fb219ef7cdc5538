import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { GuardRules } from '../application/ports/reputation-guard.port.js';
import { ReceiverRules } from '../application/receivers.js';
import { GuardSettings } from '../domain/guard-limits.js';

@Injectable()
export class ConfiguredGuardRules extends GuardRules {
  readonly settings: GuardSettings;

  constructor({ values }: Config) {
    super();
    this.settings = {
      mode: values.reputationGuard,
      minVolume: values.guardMinVolume,
      limits: {
        complaint_rate: values.guardComplaints,
        bad_address_rate: values.guardBadAddresses,
        spam_refusal_rate: values.guardSpamRefusals,
      },
    };
  }
}

@Injectable()
export class ConfiguredReceiverRules extends ReceiverRules {
  readonly usesMailHosts: boolean;

  constructor({ values }: Config) {
    super();
    this.usesMailHosts = values.deliveryTransport === 'mx';
  }
}
