import type { MergeFields } from '#audience';
import { Principal } from '#identity';
import { Injectable } from '@nestjs/common';
import { SendRequest } from '../domain/draft.js';
import { ComposeEmail } from './compose-email.js';
import { outgoingOf, OutgoingEmails } from './outgoing-emails.js';

export interface PreviewedEmail {
  readonly from: string;
  readonly subject: string;
  /** Null, with the text, if they are not wanted. */
  readonly html: string | null;
  readonly text: string | null;
}

/** Shows an email as somebody would get it who need not be a contact. Stores, counts and queues nothing. */
@Injectable()
export class PreviewEmail {
  constructor(
    private readonly compose: ComposeEmail,
    private readonly emails: OutgoingEmails,
  ) {}

  /** Throws what sending would be refused with. */
  preview(
    teamId: string,
    request: SendRequest,
    contact: MergeFields,
    { hasContent }: { readonly hasContent: boolean },
  ): Promise<PreviewedEmail> {
    return this.compose.fetching(teamId, async (fetches) => {
      const accepted = await this.compose.rehearsed(Principal.ofService(teamId), request, fetches, contact);
      const { from, subject } = accepted.email;
      if (!hasContent) return { from, subject, html: null, text: null };
      const { html, text } = this.emails.personal(outgoingOf(accepted)).body;
      return { from, subject, html: html?.toString() ?? null, text: text?.toString() ?? null };
    });
  }
}
