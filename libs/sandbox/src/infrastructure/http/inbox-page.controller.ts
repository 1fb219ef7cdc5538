import { ApiExcludeController } from '#platform/openapi';
import { isUuid, Page, PageRequest } from '#kernel';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ReadInbox } from '../../application/read-inbox.query.js';
import { InboxMessage, ReceivedMessage } from '../../domain/inbox-message.js';
import { htmlWithImages } from '../mime/inline-images.js';
import { parseMessage } from '../mime/parsed-message.js';
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

/** The inbox for people: whoever has the link that was printed at the start sees everything the sandbox received. */
@Controller('sandbox')
@ApiExcludeController()
export class InboxPageController {
  constructor(
    private readonly inbox: ReadInbox,
    private readonly token: InboxToken,
  ) {}

  @Get()
  async list(@Query() { token, after }: PageQuery, @Res() reply: FastifyReply): Promise<void> {
    if (!this.token.accepts(token)) return show(reply, 401, lockedPage());
    const request = pageRequest(after);
    return show(reply, 200, inboxPage({ token, page: await this.messages(request), isNewest: !request.after }));
  }

  @Get('inbox/:id')
  async message(@Query() { token }: PageQuery, @Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    if (!this.token.accepts(token)) return show(reply, 401, lockedPage());
    const message = await this.find(id);
    if (message === undefined) return show(reply, 404, missingPage(token));
    const [parsed, verdict] = await Promise.all([parseMessage(message.raw), this.inbox.verdict(message)]);
    return show(reply, 200, messagePage({ token, message, parsed, verdict }));
  }

  /** What the message page frames: the mail's own html, under headers that let it run nothing and load nothing. */
  @Get('inbox/:id/html')
  async html(@Query() { token }: PageQuery, @Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    if (!this.token.accepts(token)) return show(reply, 401, lockedPage());
    const message = await this.find(id);
    if (message === undefined) return show(reply, 404, missingPage(token));
    void reply
      .status(200)
      .headers(mailHeaders)
      .send(htmlWithImages(await parseMessage(message.raw)));
  }

  @Get('inbox/:id/raw')
  async raw(@Query() { token }: PageQuery, @Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    if (!this.token.accepts(token)) return show(reply, 401, lockedPage());
    const message = await this.find(id);
    if (message === undefined) return show(reply, 404, missingPage(token));
    void reply
      .status(200)
      .headers({ ...mailHeaders, 'content-type': 'message/rfc822' })
      .header('content-disposition', `attachment; filename="${message.id}.eml"`)
      .send(message.raw);
  }

  private messages(request: PageRequest): Promise<Page<InboxMessage>> {
    return this.inbox.list('operator', request);
  }

  private async find(id: string): Promise<ReceivedMessage | undefined> {
    return isUuid(id) ? this.inbox.find('operator', id) : undefined;
  }
}

function pageRequest(after: unknown): PageRequest {
  return typeof after === 'string' && isUuid(after) ? { limit: pageSize, after } : { limit: pageSize };
}

function show(reply: FastifyReply, status: number, page: Markup): void {
  void reply.status(status).headers(pageHeaders).send(page.text);
}
