import { Undocumented } from '#http/openapi';
import { leaveUnlogged } from '#http/server';
import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { found, ValidationError } from '#kernel';
import { Webhook, Webhooks } from '#webhooks';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { parameter, tagText, WireFields } from '../wire-fields.js';
import { defaultStream } from './postmark-message.js';
import { numberOf } from './postmark-pages.js';
import { postmarkTriggers, PostmarkSettings } from './postmark-webhook.js';

const format = 'postmark';
const maxHeaders = 20;
const headerName = /^[\w!#$%&'*+.^`|~-]{1,128}$/;
/** Printable ASCII. */
const headerValue = /^[\x20-\x7e]{0,2000}$/;
/** Those of the connection and of the body. */
const reserved = /^(?:host|content-.*|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|proxy-.*)$/i;

const firstSettings: PostmarkSettings = {
  MessageStream: defaultStream,
  PostFirstOpenOnly: false,
  HttpAuth: null,
  HttpHeaders: [],
};

/**
 * Webhooks. Their requests and responses may have a password: they are not logged, and only those who may change webhooks
 * read them.
 */
@Controller('postmark/webhooks')
@UseGuards(PrincipalGuard)
@Undocumented()
export class PostmarkWebhooksController {
  constructor(private readonly webhooks: Webhooks) {}

  @Get()
  @Requires('webhooks:write')
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: Record<string, unknown>,
    @Req() request: FastifyRequest,
  ): Promise<{ Webhooks: object[] }> {
    leaveUnlogged(request);
    const stream = parameter(query, 'MessageStream') ?? parameter(query, 'messageStream');
    const all = (await this.webhooks.inFormat(teamId, format)).toReversed();
    return {
      Webhooks: all
        .filter((webhook) => stream === undefined || settingsOf(webhook).MessageStream === stream)
        .map(shown),
    };
  }

  @Get(':id')
  @Requires('webhooks:write')
  async get(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<object> {
    leaveUnlogged(request);
    return shown(await this.find(teamId, id));
  }

  @Post()
  @Requires('webhooks:write')
  @HttpCode(200)
  async create(
    @CurrentPrincipal() { teamId }: Principal,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<object> {
    leaveUnlogged(request);
    const given = WireFields.of(body);
    const endpoint = given.text('Url') ?? '';
    const MessageStream = given.text('MessageStream') ?? defaultStream;
    // Refuses a name that no message can have.
    tagText('MessageStream', MessageStream);
    const settings = changedSettings(given, { ...firstSettings, MessageStream });
    const events = changedEvents(given, []);
    const { id } = await this.webhooks.create(
      teamId,
      { endpoint, events, format, settings: JSON.stringify(settings) },
      'Url',
    );
    return shown(await this.webhooks.find(teamId, id));
  }

  @Put(':id')
  @Requires('webhooks:write')
  async change(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') number: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<object> {
    leaveUnlogged(request);
    const given = WireFields.of(body);
    given.refuse(['MessageStream'], 'a webhook stays in its stream.');
    const webhook = await this.find(teamId, number);
    const endpoint = given.text('Url');
    await this.webhooks.change(
      teamId,
      webhook.id,
      {
        ...(endpoint !== undefined && endpoint !== webhook.endpoint && { endpoint }),
        events: changedEvents(given, webhook.events),
        settings: JSON.stringify(changedSettings(given, settingsOf(webhook))),
      },
      'Url',
    );
    return shown(await this.webhooks.find(teamId, webhook.id));
  }

  @Delete(':id')
  @Requires('webhooks:write')
  async remove(@CurrentPrincipal() { teamId }: Principal, @Param('id') number: string): Promise<object> {
    await this.webhooks.remove(teamId, (await this.find(teamId, number)).id);
    return { ErrorCode: 0, Message: `Webhook ${number} removed.` };
  }

  private async find(teamId: string, number: string): Promise<Webhook> {
    const all = await this.webhooks.inFormat(teamId, format);
    return found(
      'Webhook',
      all.find(({ id }) => String(numberOf(id)) === number),
    );
  }
}

const settingsOf = ({ settings }: Webhook): PostmarkSettings => JSON.parse(settings ?? '{}') as PostmarkSettings;

function shown(webhook: Webhook): object {
  const { PostFirstOpenOnly, ...settings } = settingsOf(webhook);
  const more: Readonly<Record<string, object>> = {
    Open: { PostFirstOpenOnly },
    Bounce: { IncludeContent: false },
    SpamComplaint: { IncludeContent: false },
  };
  const triggers = Object.entries(postmarkTriggers).map(([name, types]) => {
    const Enabled = types.some((type) => webhook.events.includes(type));
    return [name, { Enabled, ...more[name] }] as const;
  });
  return { ID: numberOf(webhook.id), Url: webhook.endpoint, ...settings, Triggers: Object.fromEntries(triggers) };
}

/** Triggers that are not given stay as they are. */
function changedEvents(given: WireFields, before: Webhook['events']): Webhook['events'] {
  const events = new Set(before);
  const triggers = given.object('Triggers');
  triggers?.refuse(triggers.names.filter((name) => !Object.hasOwn(postmarkTriggers, name)));
  for (const [name, types] of Object.entries(postmarkTriggers)) {
    const trigger = triggers?.object(name);
    trigger?.refuse(['IncludeContent']);
    const isEnabled = trigger?.flag('Enabled');
    if (isEnabled !== undefined) types.forEach((type) => (isEnabled ? events.add(type) : events.delete(type)));
  }
  if (events.size === 0) throw new ValidationError('At least one of `Triggers` must be enabled.');
  return [...events];
}

function changedSettings(given: WireFields, before: PostmarkSettings): PostmarkSettings {
  const auth = given.object('HttpAuth');
  const PostFirstOpenOnly = given.object('Triggers')?.object('Open')?.flag('PostFirstOpenOnly');
  return {
    ...before,
    ...(auth && { HttpAuth: authOf(auth) }),
    ...(given.has('HttpHeaders') && { HttpHeaders: given.objects('HttpHeaders', maxHeaders).map(headerOf) }),
    ...(PostFirstOpenOnly !== undefined && { PostFirstOpenOnly }),
  };
}

/** Empty texts mean none. */
function authOf(auth: WireFields): PostmarkSettings['HttpAuth'] {
  const [Username = '', Password = ''] = [auth.text('Username'), auth.text('Password')];
  if (Username.length > 500 || Password.length > 500 || Username.includes(':')) {
    throw new ValidationError('`HttpAuth` must have up to 500 characters each, and no colon in `Username`.');
  }
  return Username === '' && Password === '' ? null : { Username, Password };
}

function headerOf(header: WireFields): { Name: string; Value: string } {
  const [Name = '', Value = ''] = [header.text('Name'), header.text('Value')];
  if (!headerName.test(Name) || reserved.test(Name) || !headerValue.test(Value)) {
    throw new ValidationError(`\`HttpHeaders\` may not have the field \`${Name.slice(0, 100)}\` with this value.`);
  }
  return { Name, Value };
}
