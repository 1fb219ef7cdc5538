import type { Principal } from '#identity';
import { Injectable } from '@nestjs/common';
import { contactKey } from '../domain/contact.js';
import { ChangeSource } from '../domain/contact-change.js';
import { TopicChoice } from '../domain/contact-event.js';
import { ContactUpserts } from './ports/contact-upserts.port.js';

export interface ConsentChange {
  readonly address: string;
  /** Whether the recipient wants no broadcasts at all. Undefined: as it is. */
  readonly unsubscribed?: boolean;
  readonly topics?: readonly TopicChoice[];
  /** The email whose link was followed, if the link names it. */
  readonly emailId?: string;
  readonly source: Extract<ChangeSource, 'link' | 'one-click'>;
}

/**
 * Records what a recipient chose by a link or by the button of a mail program. The choice of someone who is no contact
 * yet makes them one, because a choice must hold from then on. Repeating a choice changes nothing.
 */
@Injectable()
export class ChangeConsent {
  constructor(private readonly upserts: ContactUpserts) {}

  /** Throws ValidationError for a topic that the team does not have. Returns the id of the contact. */
  async change(principal: Principal, change: ConsentChange): Promise<string> {
    principal.require('audience:write');
    const { address, unsubscribed, topics = [], source, emailId } = change;
    const { id } = await this.upserts.upsert({
      teamId: principal.teamId,
      actor: principal.actor,
      source,
      ...(emailId === undefined ? {} : { emailId }),
      email: contactKey(address),
      patch: unsubscribed === undefined ? {} : { unsubscribed },
      segmentIds: [],
      topics,
    });
    return id;
  }
}
