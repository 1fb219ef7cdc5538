import { Undocumented } from '#http/openapi';
import { lastEvents, ReadEmails } from '#emails';
import type { Email, EmailFilter } from '#emails';
import type { LastEvent } from '#events';
import { textPieces } from '#http/server';
import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { found, isUuid, maxPageSize, parseMailbox, ValidationError } from '#kernel';
import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { providerNames } from '../event-names.js';
import { NoCounterpartError } from '../wire-emails.js';
import { momentOf, parameter } from '../wire-fields.js';
import { PostmarkError } from './postmark-errors.js';
import { keptFields, tagFilter } from './postmark-message.js';
import { offsetPage, OffsetPage } from './postmark-pages.js';

const unknownMessage = 701;
/** Of the bodies that details show. */
const maxShownLength = 2 * 1024 * 1024;

/** Our states by the statuses of Postmark. */
const statuses: Readonly<Record<string, readonly LastEvent[]>> = {
  queued: ['queued', 'scheduled'],
  sent: lastEvents.filter((event) => event !== 'queued' && event !== 'scheduled'),
};

/** Messages that were sent, and what became of each. */
@Controller('postmark/messages/outbound')
@UseGuards(PrincipalGuard)
@Undocumented()
export class PostmarkMessagesController {
  constructor(private readonly readEmails: ReadEmails) {}

  @Get()
  @Requires('emails:read')
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: Record<string, unknown>,
  ): Promise<{ TotalCount: number; Messages: object[] }> {
    const page = offsetPage(query);
    const emails = await this.emails(teamId, filterOf(query), page);
    return {
      TotalCount: emails.length,
      Messages: emails.slice(page.offset, page.offset + page.count).map(messageOf),
    };
  }

  @Get(':id/details')
  @Requires('emails:read')
  async details(@CurrentPrincipal() { teamId }: Principal, @Param('id') id: string): Promise<object> {
    const readable = isUuid(id) ? await this.readEmails.find(teamId, id.toLowerCase()) : undefined;
    if (readable === undefined) throw new PostmarkError(unknownMessage, 'This message was not found.', 'not_found');
    const { email, body } = readable;
    try {
      // The html before the text: pieces of a large body come in this order.
      const html = await shown(body.html);
      const text = await shown(body.text);
      const events = found('Email', await this.readEmails.events(teamId, email.id, 0));
      return {
        ...messageOf(email),
        HtmlBody: html,
        TextBody: text,
        Body: '',
        MessageEvents: events.items.flatMap(({ type, recipient, createdAt, data }) => {
          const named = providerNames[type].postmark;
          if (named === undefined) return [];
          return [
            { Recipient: recipient ?? '', Type: named, ReceivedAt: createdAt.toISOString(), Details: detailsOf(data) },
          ];
        }),
      };
    } finally {
      body.release();
    }
  }

  /** One more than the page reaches, so that the total tells whether there are more. */
  private async emails(teamId: string, filter: EmailFilter, { count, offset }: OffsetPage): Promise<readonly Email[]> {
    const emails: Email[] = [];
    let after: string | undefined;
    while (emails.length <= offset + count) {
      const limit = Math.min(maxPageSize, offset + count + 1 - emails.length);
      const page = { limit, ...(after === undefined ? {} : { after }) };
      const { items, next } = await this.readEmails.search(teamId, { filter, page });
      emails.push(...items);
      if (next === undefined || items.length < limit) break;
      after = next;
    }
    return emails;
  }
}

function filterOf(query: Readonly<Record<string, unknown>>): EmailFilter {
  for (const name of [
    'fromemail',
    'messagestream',
    ...Object.keys(query).filter((key) => key.startsWith('metadata_')),
  ]) {
    if (parameter(query, name) !== undefined) throw new NoCounterpartError(`The \`${name}\` parameter`);
  }
  const [recipient, tag, subject, status] = ['recipient', 'tag', 'subject', 'status'].map((name) =>
    parameter(query, name),
  );
  const [from, to] = ['fromdate', 'todate'].map((name) => parameter(query, name));
  const known = status === undefined ? undefined : statuses[status.toLowerCase()];
  if (status !== undefined && known === undefined) throw new ValidationError('`status` must be `queued` or `sent`.');
  return {
    ...(recipient === undefined ? {} : { recipient }),
    ...(tag === undefined ? {} : { tag: tagFilter(tag) }),
    ...(subject === undefined ? {} : { subjectWords: subject.toLowerCase().split(/\s+/).slice(0, 8) }),
    ...(known === undefined ? {} : { statuses: known }),
    ...(from === undefined ? {} : { from: momentOf('fromdate', from) }),
    ...(to === undefined ? {} : { to: momentOf('todate', to) }),
  };
}

function messageOf(email: Email): Record<string, unknown> {
  const [To, Cc, Bcc] = [email.to, email.cc, email.bcc].map((list) => (list ?? []).map(mailboxOf));
  return {
    ...keptFields(email.tags),
    MessageID: email.id,
    To,
    Cc,
    Bcc,
    Recipients: [To, Cc, Bcc].flatMap((list) => (list ?? []).map(({ Email }) => Email)),
    ReceivedAt: email.createdAt.toISOString(),
    From: email.from,
    Subject: email.subject,
    Attachments: (email.attachments ?? []).map(({ filename }) => filename ?? ''),
    Status: statuses.queued?.includes(email.lastEvent) === true ? 'Queued' : 'Sent',
    TrackOpens: email.tracking?.opens ?? false,
    TrackLinks: email.tracking?.clicks === true ? 'HtmlAndText' : 'None',
    Sandboxed: false,
  };
}

function mailboxOf(text: string): { Email: string; Name: string } {
  const mailbox = parseMailbox(text);
  return { Email: mailbox?.address ?? text, Name: mailbox?.name ?? '' };
}

function detailsOf(data: Readonly<Record<string, unknown>> | null): Record<string, string> {
  const { bounce, click, host } = (data ?? {}) as {
    bounce?: { message?: string };
    click?: { link?: string };
    host?: string;
  };
  return {
    ...(bounce?.message === undefined ? {} : { Summary: bounce.message }),
    ...(click?.link === undefined ? {} : { Link: click.link }),
    ...(host === undefined ? {} : { DestinationServer: host }),
  };
}

/** A large body is shown up to a length. */
async function shown(body: string | AsyncIterable<Uint8Array> | null): Promise<string> {
  if (body === null || typeof body === 'string') return (body ?? '').slice(0, maxShownLength);
  let text = '';
  for await (const piece of textPieces(body)) if (text.length < maxShownLength) text += piece;
  return text.slice(0, maxShownLength);
}
