import { randomBytes } from 'node:crypto';
import { ClientBudget, Clock, DomainError, NotFoundError } from '#kernel';
import { FormBody, TakesForms } from '#http/server';
import { Undocumented } from '#http/openapi';
import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ChangePreferences } from '../../application/change-preferences.use-case.js';
import { ReadPreferences } from '../../application/read-preferences.query.js';
import { Done, invalidLinkPage, PageFrame, preferencePage } from './page/preference-page.js';
import { pageLanguage } from './page/page-texts.js';

/** Mailbox providers send the one-click requests of all their users from few addresses. */
const maxRequestsPerSecond = 300;

/**
 * The target of links to unsubscribe (RFC 8058). They need no API key, no cookie and no script: the link itself says
 * for whom it is. GET and HEAD change nothing, because programs that scan mail follow every link. POST does, and never
 * redirects.
 */
@Controller('unsubscribe')
@Undocumented()
export class UnsubscribeController {
  private readonly budget = new ClientBudget(maxRequestsPerSecond);

  constructor(
    private readonly read: ReadPreferences,
    private readonly changePreferences: ChangePreferences,
    private readonly clock: Clock,
  ) {}

  @Get(':token')
  async show(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.admit(request, reply);
    await this.answer(token, undefined, request, reply);
  }

  @Post(':token')
  @TakesForms()
  async change(
    @Param('token') token: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    this.admit(request, reply);
    try {
      await this.answer(token, await this.carryOut(token, body), request, reply);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      await this.answerInvalid(request, reply);
    }
  }

  /** A form of the page names its action. Everything else is the request of a mail program. */
  private async carryOut(token: string, body: unknown): Promise<Done> {
    const fields = body instanceof FormBody ? body.fields : new URLSearchParams();
    switch (fields.get('action')) {
      case 'save':
        await this.changePreferences.choose(token, new Set(fields.getAll('s')), new Set(fields.getAll('t')));
        return 'saved';
      case 'all':
        await this.changePreferences.unsubscribeFromAll(token);
        return 'leftAll';
      case 'again':
        await this.changePreferences.resubscribe(token);
        return 'back';
      case 'leave':
        await this.changePreferences.unsubscribe(token, 'link');
        return 'leftTopic';
      default:
        await this.changePreferences.unsubscribe(token, 'one-click');
        return 'leftTopic';
    }
  }

  private async answer(
    token: string,
    done: Done | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const shown = await this.read.of(token);
    if (shown === undefined) return this.answerInvalid(request, reply);
    const { topic, unsubscribed } = shown;
    const said = done === 'leftTopic' && topic === undefined ? (unsubscribed ? 'leftAll' : 'saved') : done;
    await this.send(request, reply, 200, (frame) => preferencePage(shown, said, frame));
  }

  private answerInvalid(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return this.send(request, reply, 404, invalidLinkPage);
  }

  private async send(
    { headers }: FastifyRequest,
    reply: FastifyReply,
    status: number,
    page: (frame: PageFrame) => string,
  ): Promise<void> {
    const nonce = randomBytes(16).toString('base64');
    const language = pageLanguage(headers['accept-language']);
    await reply
      .status(status)
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-language': language,
        'content-security-policy': `default-src 'none'; img-src data:; style-src 'nonce-${nonce}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
        'cache-control': 'private, no-store',
        vary: 'Accept-Language',
      })
      .send(page({ language, nonce }));
  }

  private admit(request: FastifyRequest, reply: FastifyReply): void {
    if (this.budget.take(request.ip, this.clock.now().getTime())) return;
    void reply.header('retry-after', '1');
    throw new DomainError('limited', 'rate_limit_exceeded', 'Too many requests from your address.');
  }
}
