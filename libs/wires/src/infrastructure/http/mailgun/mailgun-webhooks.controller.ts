import { Undocumented } from '#http/openapi';
import { TakesMultipartOrForms } from '#http/server';
import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { DomainError, ValidationError } from '#kernel';
import { SecretBox } from '#platform/secrets';
import { Webhook, Webhooks } from '#webhooks';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, UseGuards } from '@nestjs/common';
import { MailForm } from './mailgun-form.js';
import { MailgunDomains } from './mailgun-domains.js';
import { mailgunWebhooks, webhookSigningKey } from './mailgun-webhook.js';

const format = 'mailgun';
const maxUrls = 3;

interface NamedPath {
  readonly domain: string;
  readonly name: string;
}

interface ChangedWebhook {
  readonly message: string;
  readonly webhook: { readonly urls: readonly string[] };
}

/** The webhooks of a domain. Each name has up to three URLs, and each of these is an endpoint of ours. */
@Controller('mailgun/v3/domains/:domain/webhooks')
@UseGuards(PrincipalGuard)
@Undocumented()
export class MailgunWebhooksController {
  constructor(
    private readonly domains: MailgunDomains,
    private readonly webhooks: Webhooks,
    private readonly secrets: SecretBox,
  ) {}

  @Get()
  @Requires('webhooks:read')
  async list(@CurrentPrincipal() { teamId }: Principal, @Param('domain') domain: string): Promise<object> {
    const all = await this.ofDomain(teamId, (await this.domains.require(teamId, domain)).id);
    const entries = Object.keys(mailgunWebhooks).map((name) => [name, { urls: urlsOf(named(all, name)) }] as const);
    return { webhooks: Object.fromEntries(entries.filter(([, { urls }]) => urls.length > 0)) };
  }

  @Get(':name')
  @Requires('webhooks:read')
  async get(@CurrentPrincipal() { teamId }: Principal, @Param() path: NamedPath): Promise<object> {
    return { webhook: { urls: urlsOf((await this.require(teamId, path)).known) } };
  }

  @Post()
  @TakesMultipartOrForms()
  @Requires('webhooks:write')
  @HttpCode(200)
  async create(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('domain') domain: string,
    @Body() body: unknown,
  ): Promise<ChangedWebhook> {
    const form = await MailForm.read(body);
    const name = form.one('id') ?? '';
    if (!Object.hasOwn(mailgunWebhooks, name)) {
      throw new ValidationError(`\`id\` must be one of ${Object.keys(mailgunWebhooks).join(', ')}.`);
    }
    const urls = urlsIn(form);
    const { id } = await this.domains.require(teamId, domain);
    if (named(await this.ofDomain(teamId, id), name).length > 0) {
      throw new ValidationError('The webhook exists already. Change its URLs instead.');
    }
    await this.add(teamId, id, name, urls);
    return { message: 'Webhook has been created', webhook: { urls } };
  }

  @Put(':name')
  @TakesMultipartOrForms()
  @Requires('webhooks:write')
  async change(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() path: NamedPath,
    @Body() body: unknown,
  ): Promise<ChangedWebhook> {
    const urls = urlsIn(await MailForm.read(body));
    const { domainId, known } = await this.require(teamId, path);
    // The new ones first: if one of them is refused, all stays as it was.
    const isKnown = (url: string): boolean => known.some(({ endpoint }) => endpoint === url);
    await this.add(
      teamId,
      domainId,
      path.name,
      urls.filter((url) => !isKnown(url)),
    );
    await this.removeAll(known.filter(({ endpoint }) => !urls.includes(endpoint)));
    return { message: 'Webhook has been updated', webhook: { urls } };
  }

  // Clients declare a form, and send none.
  @Delete(':name')
  @TakesMultipartOrForms()
  @Requires('webhooks:write')
  async remove(@CurrentPrincipal() { teamId }: Principal, @Param() path: NamedPath): Promise<ChangedWebhook> {
    const { known } = await this.require(teamId, path);
    await this.removeAll(known);
    return { message: 'Webhook has been deleted', webhook: { urls: urlsOf(known) } };
  }

  private async ofDomain(teamId: string, domainId: string): Promise<readonly Webhook[]> {
    return (await this.webhooks.inFormat(teamId, format)).filter((webhook) => webhook.domainId === domainId);
  }

  private async require(
    teamId: string,
    { domain, name }: NamedPath,
  ): Promise<{ readonly domainId: string; readonly known: readonly Webhook[] }> {
    const { id: domainId } = await this.domains.require(teamId, domain);
    const known = named(await this.ofDomain(teamId, domainId), name);
    if (known.length === 0) throw new DomainError('not_found', 'not_found', 'Webhook not found');
    return { domainId, known };
  }

  /** All of them or, where one is refused, none. */
  private async add(teamId: string, domainId: string, name: string, urls: readonly string[]): Promise<void> {
    const secret = webhookSigningKey(this.secrets, teamId);
    const added: { readonly teamId: string; readonly id: string }[] = [];
    try {
      for (const endpoint of urls) {
        const events = mailgunWebhooks[name] ?? [];
        const { id } = await this.webhooks.create(teamId, { endpoint, events, format, domainId, secret }, 'url');
        added.push({ teamId, id });
      }
    } catch (error) {
      await this.removeAll(added);
      throw error;
    }
  }

  private async removeAll(webhooks: readonly { readonly teamId: string; readonly id: string }[]): Promise<void> {
    for (const { teamId, id } of webhooks) await this.webhooks.remove(teamId, id);
  }
}

function named(webhooks: readonly Webhook[], name: string): readonly Webhook[] {
  const types = Object.hasOwn(mailgunWebhooks, name) ? mailgunWebhooks[name] : [];
  return webhooks.filter(({ events }) => types?.some((type) => events.includes(type)));
}

/** Oldest first. */
function urlsOf(webhooks: readonly Webhook[]): readonly string[] {
  return [...new Set(webhooks.map(({ endpoint }) => endpoint).reverse())];
}

function urlsIn(form: MailForm): readonly string[] {
  const urls = [...new Set(form.all('url').filter((url) => url !== ''))];
  if (urls.length === 0) throw new ValidationError('`url` is required.');
  if (urls.length > maxUrls) throw new ValidationError(`A webhook may have at most ${maxUrls} URLs.`);
  return urls;
}
