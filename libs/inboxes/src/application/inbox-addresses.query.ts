import { Injectable } from '@nestjs/common';
import { InboxRepository } from './ports/inbox-repository.port.js';

/** Tells addresses of inboxes from others. Asked for recipients of strangers, and answered from a cache. */
@Injectable()
export class InboxAddresses {
  constructor(private readonly inboxes: InboxRepository) {}

  /** Whether the team has an inbox with this address. A tag behind a `+` belongs to the address without it. */
  async has(teamId: string, recipient: string): Promise<boolean> {
    const address = recipient.toLowerCase();
    const addresses = await this.inboxes.addresses(teamId);
    return addresses.has(address) || addresses.has(withoutTag(address));
  }
}

/** Like the function `file_received_emails`. */
function withoutTag(address: string): string {
  const plus = address.indexOf('+');
  const at = address.lastIndexOf('@');
  return plus > 0 && plus < at ? address.slice(0, plus) + address.slice(at) : address;
}
