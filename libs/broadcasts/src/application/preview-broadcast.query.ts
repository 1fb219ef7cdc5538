import { ContactKey, contactMergeValues, ContactValues, MergeContact, MergeFields, SegmentMembers } from '#audience';
import { unsubscribeTags } from '#emails';
import { found, MergeTemplate, MergeValues, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Broadcast } from '../domain/broadcast.js';
import { usedNames } from '../domain/used-names.js';
import { sentContent } from '../domain/sent-content.js';
import { BroadcastRepository } from './ports/broadcast-repository.port.js';

/** A broadcast as one contact would get it. */
export interface BroadcastPreview {
  readonly broadcast: Broadcast;
  /** Null where nobody is in the segment: then every fallback shows. */
  readonly contact: MergeContact | null;
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
}

const maxPreviewBytes = 2 * 1024 * 1024;

/** Links to unsubscribe belong to recipients: a preview shows where they will be. */
const keptTags: MergeValues = Object.fromEntries(
  [...unsubscribeTags].map((name) => [name, { value: `{{{${name.toUpperCase()}}}}`, markup: true }]),
);

/** Renders a broadcast as one contact. Sends nothing. */
@Injectable()
export class PreviewBroadcast {
  constructor(
    private readonly broadcasts: BroadcastRepository,
    private readonly values: ContactValues,
    private readonly members: SegmentMembers,
  ) {}

  /** @param key the contact; without it someone of the segment. */
  async execute(teamId: string, id: string, key: ContactKey | undefined): Promise<BroadcastPreview> {
    const broadcast = found('Broadcast', await this.broadcasts.find(teamId, id));
    const contact = key === undefined ? await this.someone(broadcast) : await this.values.find(teamId, key);
    if (key !== undefined && contact === undefined) found('Contact', contact);
    const nobody = (await this.values.fieldsOf(teamId, [''])).get('') as MergeFields;
    const values = { ...contactMergeValues(contact ?? nobody, usedNames(broadcast)), ...keptTags };
    const { html, text } = sentContent(broadcast);
    return {
      broadcast,
      contact: contact ?? null,
      subject: new MergeTemplate(broadcast.subject, 'line').render(values),
      html: html === undefined ? null : rendered(html, 'html', values),
      text: text === undefined ? null : rendered(text, 'text', values),
    };
  }

  private async someone({ teamId, segmentId }: Broadcast): Promise<MergeContact | undefined> {
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
