import { contactMergeValues, ContactValues, MergeFields } from '#audience';
import { SendShared } from '#emails';
import type { Principal } from '#identity';
import { found, parseMailbox, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { usedNames } from '../domain/used-names.js';
import { sentContent } from '../domain/sent-content.js';
import { CheckBroadcast } from './check-broadcast.js';
import { BroadcastRepository } from './ports/broadcast-repository.port.js';

export const maxTestRecipients = 10;

/** Sends a broadcast to some addresses to look at. */
@Injectable()
export class TestBroadcast {
  constructor(
    private readonly broadcasts: BroadcastRepository,
    private readonly check: CheckBroadcast,
    private readonly values: ContactValues,
    private readonly send: SendShared,
  ) {}

  /**
   * Ordinary emails, with the values of the contact that has the address, or else with the fallbacks. They do not count for the
   * broadcast. Returns the ids of the emails.
   */
  async execute(principal: Principal, id: string, to: readonly string[]): Promise<readonly string[]> {
    principal.require('broadcasts:send');
    const { teamId } = principal;
    const broadcast = found('Broadcast', await this.broadcasts.find(teamId, id));
    const addresses = parseRecipients(to);
    await this.check.checkTags(teamId, broadcast);
    const fields = await this.values.fieldsOf(teamId, addresses);
    const names = usedNames(broadcast);
    const { from, replyTo, subject } = broadcast;
    const { ids } = await this.send.execute(principal, {
      ...{ from, replyTo: replyTo ?? undefined, subject: `[Test] ${subject}`, content: sentContent(broadcast) },
      recipients: addresses.map((to) => ({ to, values: contactMergeValues(fields.get(to) as MergeFields, names) })),
    });
    return ids;
  }
}

function parseRecipients(to: readonly string[]): readonly string[] {
  if (to.length < 1 || to.length > maxTestRecipients) {
    throw new ValidationError(`The \`to\` field must have 1 to ${maxTestRecipients} addresses.`);
  }
  const addresses = to.map((text) => {
    const mailbox = parseMailbox(text);
    if (mailbox !== undefined) return mailbox.address;
    throw new ValidationError(
      'Invalid `to` field. The email address needs to follow the `email@example.com` or `Name <email@example.com>` format.',
    );
  });
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
}
