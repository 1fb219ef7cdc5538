import { Injectable } from '@nestjs/common';
import { SmtpListenAddress } from './addresses.js';
import { Config } from './config.js';

/** The SMTP ports that clients can reach. */
@Injectable()
export class OpenPorts {
  private opened: readonly SmtpListenAddress[] | undefined;

  constructor(private readonly config: Config) {}

  /** Those of this process; without any, those that another process of the installation is configured to open. */
  get smtp(): readonly SmtpListenAddress[] {
    return this.opened ?? this.config.values.smtpListen;
  }

  smtpOpened(addresses: readonly SmtpListenAddress[]): void {
    this.opened = addresses;
  }
}
