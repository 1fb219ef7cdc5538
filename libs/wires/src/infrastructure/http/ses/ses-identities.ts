import { Domain, DomainStatus, ReadDomains } from '#domains';
import { found, isUuid, PageRequest, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { parameter, wholeParameter, WireFields } from '../wire-fields.js';
import { nestedParameters, queryNameOf, QueryParameters } from './ses-query.js';

const maxPage = 1_000;
const maxAsked = 100;

/** Names of version 2. */
const statuses: Readonly<Record<DomainStatus, string>> = {
  not_started: 'NOT_STARTED',
  pending: 'PENDING',
  partially_verified: 'PENDING',
  verified: 'SUCCESS',
  temporary_failure: 'TEMPORARY_FAILURE',
  partially_failed: 'FAILED',
  failed: 'FAILED',
};

/** The domains of a team, as identities of SES. Single addresses are no identities here. */
@Injectable()
export class SesIdentities {
  constructor(private readonly domains: ReadDomains) {}

  /** `ListEmailIdentities` of version 2. */
  async page(teamId: string, query: Readonly<Record<string, unknown>>): Promise<object> {
    const { items, hasMore } = await this.domains.list(teamId, sesPage(query, 'PageSize'));
    return {
      EmailIdentities: items.map((domain) => ({
        IdentityType: 'DOMAIN',
        IdentityName: domain.name,
        SendingEnabled: maySend(domain),
        VerificationStatus: statusOf(domain),
      })),
      NextToken: hasMore ? items.at(-1)?.id : undefined,
    };
  }

  /** `GetEmailIdentity` of version 2. Throws the same for a domain of another team as for one that nobody has. */
  async get(teamId: string, name: string): Promise<object> {
    const domain = found('Identity', await this.domains.named(teamId, name));
    return {
      IdentityType: 'DOMAIN',
      FeedbackForwardingStatus: false,
      VerifiedForSendingStatus: maySend(domain),
      VerificationStatus: statusOf(domain),
      DkimAttributes: { SigningEnabled: true, Status: statusOf(domain) },
    };
  }

  /** `ListIdentities` of version 1. */
  async listed(teamId: string, parameters: QueryParameters): Promise<object> {
    const query = nestedParameters(parameters, ['IdentityType', 'NextToken', 'MaxItems']);
    if (query.IdentityType === 'EmailAddress') return { Identities: {} };
    const { items, hasMore } = await this.domains.list(teamId, sesPage(query, 'MaxItems'));
    return { Identities: { member: items.map(({ name }) => name) }, NextToken: hasMore ? items.at(-1)?.id : undefined };
  }

  /** `GetIdentityVerificationAttributes` of version 1. Unknown identities are left out. */
  async verifications(teamId: string, parameters: QueryParameters): Promise<object> {
    const names = WireFields.of(nestedParameters(parameters, ['Identities[]'])).texts('Identities', maxAsked);
    const entry: object[] = [];
    // One at a time: a hundred at once would take the connections of others.
    for (const key of names) {
      const domain = await this.domains.named(teamId, key);
      if (domain !== undefined) entry.push({ key, value: { VerificationStatus: queryNameOf(statusOf(domain)) } });
    }
    return { VerificationAttributes: { entry } };
  }
}

/** A page of a list, whose token is the id of the last item of the page before. */
export function sesPage(query: Readonly<Record<string, unknown>>, size: string): PageRequest {
  const limit = wholeParameter(query, size, { min: 1, max: maxPage, otherwise: maxPage });
  const after = parameter(query, 'NextToken');
  if (after === undefined) return { limit };
  if (!isUuid(after)) throw new ValidationError('`NextToken` is not that of a page.');
  return { limit, after };
}

/** The domain of the built-in inbox needs no records. */
function statusOf({ sandbox, status }: Domain): string {
  return sandbox ? 'SUCCESS' : statuses[status];
}

const maySend = (domain: Domain): boolean => statusOf(domain) === 'SUCCESS';
