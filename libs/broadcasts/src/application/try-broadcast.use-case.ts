import { ContactKey, contactMergeValues, ContactValues, MergeContact, MergeFields, SegmentMembers } from '#audience';
import { SendShared, unsubscribeTags } from '#emails';
import type { Principal } from '#identity';
import { found, MergeTemplate, MergeValues, parseMailbox, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { maxSubjectLength } from '../domain/broadcast-fields.js';
import { usedNames } from '../domain/broadcast-tags.js';
import { Broadcast } from '../domain/broadcast.js';
import { sentContent } from '../domain/sent-content.js';
import { CheckBroadcast } from './check-broadcast.js';
import { BroadcastRepository } from './ports/broadcast-repository.port.js';

/** A broadcast as one contact would get it. */
export interface BroadcastPreview {
  readonly broadcast: Broadcast;
  /** Null if nobody is in the segment: then every fallback shows. */
  readonly contact: MergeContact | null;
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
}

const maxPreviewBytes = 2 * 1024 * 1024;
export const maxTestRecipients = 10;

/** Links to unsubscribe belong to recipients: a preview shows where they will be. */
const keptTags: MergeValues = Object.fromEntries(
  [...unsubscribeTags].map((name) => [name, { value: `{{{${name.toUpperCase()}}}}`, markup: true }]),
);

/** Shows a broadcast before it is sent: as a preview, or as test emails. */
@Injectable()
export class TryBroadcast {
  constructor(
    private readonly broadcasts: BroadcastRepository,
    private readonly check: CheckBroadcast,
    private readonly values: ContactValues,
    private readonly members: SegmentMembers,
    private readonly send: SendShared,
  ) {}

  /** Renders it for one contact and sends nothing. @param key the contact; without it, one of the segment. */
  async preview(teamId: string, id: string, key: ContactKey | undefined): Promise<BroadcastPreview> {
    const broadcast = found('Broadcast', await this.broadcasts.find(teamId, id));
    const contact = key === undefined ? await this.anyMember(broadcast) : await this.values.find(teamId, key);
    if (key !== undefined && contact === undefined) found('Contact', contact);
    const nobody = (await this.values.fieldsOf(teamId, [''])).get('') as MergeFields;
    const values = { ...contactMergeValues(contact ?? nobody, usedNames(broadcast)), ...keptTags };
    const { html, text } = sentContent(broadcast, unsubscribeTags);
    return {
      broadcast,
      contact: contact ?? null,
      subject: new MergeTemplate(broadcast.subject, 'line').render(values, maxSubjectLength),
      html: html === undefined ? null : rendered(html, 'html', values),
      text: text === undefined ? null : rendered(text, 'text', values),
    };
  }

  /**
   * Sends it to a few addresses, as ordinary emails, with the values of the contact that has the address, or else with
   * the fallbacks. They do not count for the broadcast. Returns the ids of the emails.
   */
  async sendTest(principal: Principal, id: string, to: readonly string[]): Promise<readonly string[]> {
    principal.require('broadcasts:send');
    const { teamId } = principal;
    const broadcast = found('Broadcast', await this.broadcasts.find(teamId, id));
    const addresses = parseRecipients(to);
    await this.check.tags(teamId, broadcast);
    const fields = await this.values.fieldsOf(teamId, addresses);
    const names = usedNames(broadcast);
    const { ids } = await this.send.send(principal, {
      from: broadcast.from,
      replyTo: broadcast.replyTo ?? undefined,
      subject: `[Test] ${broadcast.subject}`,
      content: sentContent(broadcast, unsubscribeTags),
      recipients: addresses.map((to) => ({ to, values: contactMergeValues(fields.get(to) as MergeFields, names) })),
    });
    return ids;
  }

  private async anyMember({ teamId, segmentId }: Broadcast): Promise<MergeContact | undefined> {
    const { items } = await this.members.page(teamId, segmentId, { limit: 1 });
    const [member] = items;
    return member === undefined ? undefined : this.values.find(teamId, { id: member.id });
  }
}

function rendered(text: string, target: 'html' | 'text', values: MergeValues): string {
  const template = new MergeTemplate(text, target);
  if (template.renderedBytes(values) > maxPreviewBytes) {
    throw new ValidationError(`The preview has more than ${maxPreviewBytes} bytes.`);
  }
  return template.render(values);
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
