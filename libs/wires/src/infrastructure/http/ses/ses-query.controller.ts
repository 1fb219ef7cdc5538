import { TakesMultipartOrForms } from '#http/server';
import { Undocumented } from '#http/openapi';
import { Audited, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { newId } from '#kernel';
import { ReadUsage, UsageReport } from '#rate-limit';
import { Controller, Header, Headers, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { sendsMail, Submission } from '../wire-emails.js';
import { SesCredentials } from './ses-credentials.js';
import { SesIdentities } from './ses-identities.js';
import { answerXml, nestedParameters, queryNameOf, QueryParameters, SesError } from './ses-query.js';
import { sesBodyOf } from './ses-query-actions.js';
import { SesSending } from './ses-sending.js';

const version = '2010-12-01';

/**
 * SES version 1, the query protocol: every action is a form, posted to the base address, with its name in `Action`. The
 * answers are XML.
 */
@Controller('ses')
@UseGuards(PrincipalGuard)
@Undocumented()
export class SesQueryController {
  constructor(
    private readonly credentials: SesCredentials,
    private readonly sending: SesSending,
    private readonly identities: SesIdentities,
    private readonly usage: ReadUsage,
  ) {}

  /** Actions that read require more than what is declared here. */
  @Post()
  @TakesMultipartOrForms()
  @Requires('emails:send')
  @Audited(sendsMail)
  @HttpCode(200)
  @Header('content-type', 'text/xml; charset=utf-8')
  async act(
    @CurrentPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Headers('idempotency-key') key?: string,
  ): Promise<string> {
    const parameters = new Map(await this.credentials.formOf(request));
    this.credentials.requireBody(request);
    const action = parameters.get('Action');
    if (action === undefined) throw new SesError('MissingAction', 'The request must have an `Action`.');
    if (parameters.get('Version') !== version)
      throw new SesError('NoSuchVersion', `There is only version ${version} here.`);
    for (const name of ['Action', 'Version']) parameters.delete(name);
    const result = await this.resultOf(action, parameters, { principal, endpoint: `POST /ses ${action}`, key });
    return answerXml(action, result, newId());
  }

  private async resultOf(
    action: string,
    parameters: QueryParameters,
    submission: Omit<Submission, 'body'>,
  ): Promise<object> {
    const { principal } = submission;
    const body = sesBodyOf(action, parameters);
    if (action === 'SendBulkTemplatedEmail') {
      const results = await this.sending.sendBulk({ ...submission, body });
      return { Status: { member: results.map((one) => ({ ...one, Status: queryNameOf(one.Status) })) } };
    }
    if (body !== undefined) return { MessageId: await this.sending.send({ ...submission, body }) };
    switch (action) {
      case 'GetAccountSendingEnabled':
        nestedParameters(parameters, []);
        return { Enabled: true };
      case 'GetSendQuota':
        principal.require('usage:read');
        nestedParameters(parameters, []);
        return quotaOf(await this.usage.read(principal.teamId));
      case 'ListIdentities':
        principal.require('domains:read');
        return this.identities.listed(principal.teamId, parameters);
      case 'GetIdentityVerificationAttributes':
        principal.require('domains:read');
        return this.identities.verifications(principal.teamId, parameters);
      default:
        throw new SesError('InvalidAction', `\`${action.slice(0, 100)}\` has no counterpart here and is refused.`);
    }
  }
}

/** -1 is no limit. What is sent counts from the beginning of the day (UTC), as the quota does. */
function quotaOf({ limits, usage, requestsPerSecond }: UsageReport): object {
  return { Max24HourSend: limits.daily ?? -1, MaxSendRate: requestsPerSecond, SentLast24Hours: usage.daily.sent };
}
