import { SandboxPolicy } from '#domains';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { DeliveryTransport } from '../../application/ports/delivery-transport.port.js';

/**
 * Allows mail of sandbox domains where the configuration keeps it on this machine, and with a transport that the
 * program supplies.
 */
@Injectable()
export class ConfiguredSandboxPolicy extends SandboxPolicy {
  readonly allowsSandboxDomains: boolean;

  constructor(adapters: Adapters, config: Config) {
    super();
    this.allowsSandboxDomains =
      adapters.has(DeliveryTransport) || config.values.allowPrivateDestinations || staysOnThisMachine(config);
  }
}

function staysOnThisMachine({ values }: Config): boolean {
  switch (values.deliveryTransport) {
    case 'sandbox':
      return true;
    case 'relay':
      return isLoopback(new URL(values.relayUrl ?? '').hostname);
    case 'mx':
      return false;
  }
}

function isLoopback(host: string): boolean {
  return /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|localhost)$/i.test(host);
}
