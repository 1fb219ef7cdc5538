import { OutboundHttp } from '#http/outbound';
import { Clock } from '#kernel';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { PostmasterAccount, PostmasterTools } from '../../application/ports/provider-reports.port.js';
import { GoogleDay, ProviderTrouble } from '../../domain/provider-report.js';
import { askProvider, ProviderAnswer } from '../asked-provider.js';
import {
  AnswerPage,
  daysFrom,
  DomainStat,
  metricDefinitions,
  readDomains,
  readDomainStats,
  readGrantError,
  readToken,
} from './google-answers.js';
import { assertionOf, readServiceAccount } from './service-account.js';

const tokenUrl = 'https://oauth2.googleapis.com/token';
const apiUrl = 'https://gmailpostmastertools.googleapis.com/v2';
/** The list of domains has a scope of its own. */
const scope = ['postmaster.domain', 'postmaster.traffic.readonly']
  .map((name) => `https://www.googleapis.com/auth/${name}`)
  .join(' ');
/** The most that Google allows. */
const pageSize = 200;
const maxPages = 25;

const notEnabled =
  'Google refuses access to Postmaster Tools (403): enable the Gmail Postmaster Tools API in the project of the service account';

/** The Postmaster Tools API v2, with the key of a service account. */
@Injectable()
export class HttpPostmasterTools extends PostmasterTools {
  private readonly keyFile: string | undefined;

  constructor(
    private readonly http: OutboundHttp,
    private readonly clock: Clock,
    { values }: Config,
  ) {
    super();
    this.keyFile = values.postmasterToolsKeyFile;
  }

  get isConfigured(): boolean {
    return this.keyFile !== undefined;
  }

  async signIn(): Promise<PostmasterAccount> {
    const account = await readServiceAccount(this.keyFile ?? '');
    const assertion = assertionOf(account, { scope, audience: tokenUrl, now: this.clock.now() });
    const { status, text } = await askProvider(this.http, 'Google', {
      url: tokenUrl,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString(),
    });
    const refusal = readGrantError(text);
    if (refusal !== undefined) throw new ProviderTrouble(`Google refused the key of ${account.email}: ${refusal}`);
    const token = status === 200 ? readToken(text) : undefined;
    if (token === undefined) throw unexpected(status);
    return {
      email: account.email,
      domains: () => this.domains(token),
      daysOf: (domain, first, last) => this.daysOf(token, domain, first, last),
    };
  }

  private domains(token: string): Promise<readonly string[]> {
    return allPages(readDomains, async (page) => {
      const query = new URLSearchParams({
        pageSize: String(pageSize),
        ...(page === undefined ? {} : { pageToken: page }),
      });
      const answer = await this.ask(token, `domains?${query.toString()}`);
      if (answer.status === 403) throw new ProviderTrouble(notEnabled);
      return answer;
    });
  }

  private async daysOf(
    token: string,
    domain: string,
    first: string,
    last: string,
  ): Promise<readonly GoogleDay[] | 'not_shared'> {
    const timeQuery = { dateRanges: { dateRanges: [{ start: dateOf(first), end: dateOf(last) }] } };
    let isRefused = false;
    const stats = await allPages<DomainStat>(readDomainStats, async (pageToken) => {
      const query = { metricDefinitions, timeQuery, pageSize, pageToken, aggregationGranularity: 'DAILY' };
      const answer = await this.ask(token, `domains/${domain}/domainStats:query`, JSON.stringify(query));
      isRefused = answer.status === 403 || answer.status === 404;
      return isRefused ? { status: 200, text: '{}' } : answer;
    });
    return isRefused ? 'not_shared' : daysFrom(stats);
  }

  private ask(token: string, path: string, body?: string): Promise<ProviderAnswer> {
    return askProvider(this.http, 'Google', {
      url: `${apiUrl}/${path}`,
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    });
  }
}

async function allPages<Item>(
  read: (body: string) => AnswerPage<Item> | undefined,
  ask: (page: string | undefined) => Promise<ProviderAnswer>,
): Promise<Item[]> {
  const items: Item[] = [];
  let next: string | undefined;
  for (let no = 0; no < maxPages; no++) {
    const { status, text } = await ask(next);
    const page = status === 200 ? read(text) : undefined;
    if (page === undefined) throw unexpected(status);
    // No honest page has more than was asked for.
    items.push(...page.items.slice(0, pageSize));
    next = page.nextPage;
    if (next === undefined) break;
  }
  return items;
}

function unexpected(status: number): ProviderTrouble {
  if (status === 200) return new ProviderTrouble('Google answered with something else than figures');
  return new ProviderTrouble(`Google answered with the status ${status}`);
}

function dateOf(day: string): { readonly year: number; readonly month: number; readonly day: number } {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return { year, month, day: date };
}
