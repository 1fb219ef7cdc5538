import { hostname } from 'node:os';
import { Injectable, Module } from '@nestjs/common';
import { DeliveryTransport, SandboxAddress, TestAddressTransport } from '#delivery';
import { DomainsModule, ReceivingDomains, ServiceNames } from '#domains';
import { InboundModule, LocalDeliveryTransport, ReceiveMail } from '#inbound';
import { ConfiguredMx, MxModule } from '#mx';
import { Adapters } from '#platform/adapters';
import { Config, ConfigError } from '#platform/config';
import {
  NodemailerDeliveryTransport,
  nodemailerAddressFromUrl,
  RelayDeliveryTransport,
  relayOptionsFromUrl,
  SandboxDeliveryTransport,
} from '#smtp-client';

/**
 * The sandbox commits before each reply, and connections share commits: 490 messages/s are accepted and delivered in one
 * process on 2 cores, against 370 with two connections.
 */
const sandboxConnections = 8;

/** Mail to the domains that receive here. */
@Injectable()
class LocalMail {
  constructor(
    private readonly domains: ReceivingDomains,
    private readonly receiveMail: ReceiveMail,
    private readonly names: ServiceNames,
  ) {}

  before(remote: DeliveryTransport): DeliveryTransport {
    const { host } = this.names.hostsOf(this.names.regions[0] ?? '');
    return new LocalDeliveryTransport(remote, this.domains, this.receiveMail, host);
  }
}

/** The transport of a worker: the adapter that the program was given, or the one that DELIVERY_TRANSPORT names. */
@Module({
  imports: [DomainsModule, InboundModule, MxModule],
  providers: [
    {
      provide: DeliveryTransport,
      inject: [Adapters, Config, ConfiguredMx, LocalMail, { token: SandboxAddress, optional: true }],
      useFactory: async (
        adapters: Adapters,
        config: Config,
        mx: ConfiguredMx,
        localMail: LocalMail,
        sandbox: SandboxAddress | undefined,
      ) => {
        const remote = adapters.choose(DeliveryTransport, () => configuredTransport(config, mx, sandbox));
        if (remote instanceof NodemailerDeliveryTransport) await usable(remote);
        return new TestAddressTransport(localMail.before(remote), config.values.testAddressDomains);
      },
    },
    LocalMail,
  ],
  exports: [DeliveryTransport],
})
export class DeliveryTransportModule {}

function configuredTransport(config: Config, mx: ConfiguredMx, sandbox: SandboxAddress | undefined): DeliveryTransport {
  const { values } = config;
  switch (values.deliveryTransport) {
    case 'sandbox':
      if (sandbox === undefined) throw new Error('DELIVERY_TRANSPORT=sandbox needs the sandbox module');
      return new SandboxDeliveryTransport({ port: sandbox.port, connections: sandboxConnections });
    case 'relay':
      return relayTransport(config, values.relayUrl ?? '');
    case 'mx':
      return mx.transport((url) => relayTransport(config, url));
  }
}

/** A module that is no transport is found at the start, and not when mail waits. */
async function usable(transport: NodemailerDeliveryTransport): Promise<void> {
  try {
    await transport.ready();
  } catch (error) {
    throw new ConfigError([(error as Error).message]);
  }
}

function relayTransport({ values }: Config, url: string): DeliveryTransport {
  const nodemailer = nodemailerAddressFromUrl(url, url === values.relayUrl ? values.relayOptions : {});
  if (nodemailer !== undefined) {
    return new NodemailerDeliveryTransport({ ...nodemailer, connections: values.relayConnections });
  }
  return new RelayDeliveryTransport({
    ...relayOptionsFromUrl(url),
    heloName: values.heloName ?? hostname(),
    connections: values.relayConnections,
  });
}
