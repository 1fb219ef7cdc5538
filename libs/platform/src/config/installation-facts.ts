import { Injectable } from '@nestjs/common';
import { SmtpListenAddress } from './addresses.js';
import { Config } from './config.js';

/** What its users must know about this installation. */
@Injectable()
export class InstallationFacts {
  private opened: readonly SmtpListenAddress[] | undefined;

  constructor(private readonly config: Config) {}

  /** Whether no mail leaves the machine. */
  get isSandbox(): boolean {
    return this.config.values.deliveryTransport === 'sandbox';
  }

  /** The open SMTP ports of this process; without any, those that another process of the installation is configured to open. */
  get smtpPorts(): readonly SmtpListenAddress[] {
    return this.opened ?? this.config.values.smtpListen;
  }

  smtpOpened(addresses: readonly SmtpListenAddress[]): void {
    this.opened = addresses;
  }
}
