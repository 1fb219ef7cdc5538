import { Readable } from 'node:stream';
import { isUuid, PageRequest } from '#kernel';
import { inPieces, releaseOnceSent } from '#http/server';
import { Undocumented } from '#http/openapi';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { SandboxInbox, SignatureVerifier } from '../../application/ports/inbox.port.js';
import type { WantedParts } from '../mime/message.parser.js';
import { readerOf, ShownMessage, ShownMessages } from './shown-messages.js';
import { InboxToken } from './inbox-token.js';
import { inboxPage } from './page/inbox-page.js';
import { messagePage } from './page/message-page.js';
import { Markup } from './page/markup.js';
import { lockedPage, missingPage } from './page/notice-pages.js';
import { mailHeaders, pageHeaders } from './page/page-headers.js';

const pageSize = 50;

interface PageQuery {
  readonly token?: unknown;
  readonly after?: unknown;
}

/** The inbox page for people. Anybody with the link that is printed at the start sees all messages of the sandbox. */
@Controller('sandbox')
@Undocumented()
export class InboxPageController {
  constructor(
    private readonly inbox: SandboxInbox,
    private readonly signatures: SignatureVerifier,
    private readonly shown: ShownMessages,
    private readonly token: InboxToken,
  ) {}

  @Get()
  async list(@Query() { token, after }: PageQuery, @Res() reply: FastifyReply): Promise<void> {
    if (!this.token.accepts(token)) return show(reply, 401, lockedPage());
    const request = pageRequest(after);
    return show(
      reply,
      200,
      inboxPage({ token, page: await this.inbox.list('operator', request), isNewest: !request.after }),
    );
  }

  @Get('inbox/:id')
  async message(@Query() { token }: PageQuery, @Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    if (!this.token.accepts(token)) return show(reply, 401, lockedPage());
    const shown = await this.open(id, 'parts');
    if (shown === undefined) return show(reply, 404, missingPage(token));
    releaseOnceSent(reply, shown);
    const verdict = await this.signatures.verify(shown.raw, readerOf('operator'));
    return show(reply, 200, messagePage({ token, shown, verdict }));
  }

  /**
   * The document in the frame of the message page: the mail's own HTML, with headers that let it run nothing and load
   * nothing.
   */
  @Get('inbox/:id/html')
  async html(@Query() { token }: PageQuery, @Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    if (!this.token.accepts(token)) return show(reply, 401, lockedPage());
    const shown = await this.open(id, 'html');
    if (shown === undefined) return show(reply, 404, missingPage(token));
    releaseOnceSent(reply, shown);
    const html = shown.parsed.html ?? new Uint8Array();
    void reply
      .status(200)
      .headers(mailHeaders)
      .send(Readable.from(inPieces(html), { objectMode: false }));
  }

  @Get('inbox/:id/raw')
  async raw(@Query() { token }: PageQuery, @Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    if (!this.token.accepts(token)) return show(reply, 401, lockedPage());
    const source = isUuid(id) ? await this.shown.source('operator', id) : undefined;
    if (source === undefined) return show(reply, 404, missingPage(token));
    releaseOnceSent(reply, source);
    void reply
      .status(200)
      .headers({ ...mailHeaders, 'content-type': 'message/rfc822' })
      .header('content-disposition', `attachment; filename="${id}.eml"`)
      .send(Readable.from(source.pieces, { objectMode: false }));
  }

  private async open(id: string, wanted: WantedParts): Promise<ShownMessage | undefined> {
    return isUuid(id) ? this.shown.open('operator', id, wanted) : undefined;
  }
}

function pageRequest(after: unknown): PageRequest {
  return typeof after === 'string' && isUuid(after) ? { limit: pageSize, after } : { limit: pageSize };
}

function show(reply: FastifyReply, status: number, page: Markup): void {
  void reply.status(status).headers(pageHeaders).send(page.text);
}
