import { DomainError, parseDomainName, ValidationError } from '#kernel';
import type { ApiKeyAccess } from './permission.js';
import { parseNetwork } from './networks.js';

/** Where mail of a key may go, and how much of it. */
export interface SendingPolicies {
  /** Null: to all domains. */
  readonly allowedRecipientDomains: readonly string[] | null;
  /** Recipients in a day (UTC). Null: as many as the team may send. */
  readonly dailyLimit: number | null;
}

/** What narrows a key beyond its permission. */
export interface KeyPolicies extends SendingPolicies {
  /** Addresses and networks from which it is accepted. Null: from everywhere. */
  readonly allowedIps: readonly string[] | null;
  /** It reads and writes drafts, which a person sends. */
  readonly onlyDrafts: boolean;
}

export const noPolicies: KeyPolicies = {
  allowedIps: null,
  allowedRecipientDomains: null,
  dailyLimit: null,
  onlyDrafts: false,
};

export const maxAllowedIps = 50;
export const maxRecipientDomains = 50;
export const maxDailyLimit = 1_000_000_000;

export class AddressNotAllowedError extends DomainError {
  constructor(address: string) {
    super('forbidden', 'invalid_permission', `This API key is refused from ${address}: its rule \`allowed_ips\`.`);
  }
}

export class RecipientNotAllowedError extends DomainError {
  constructor(domain: string) {
    super(
      'forbidden',
      'invalid_permission',
      `This API key may not send to ${domain}: its rule \`allowed_recipient_domains\`.`,
    );
  }
}

/** The recipients of a broadcast are all contacts of its segment: neither rule can be checked when it is sent. */
export class BroadcastNotAllowedError extends DomainError {
  constructor({ allowedRecipientDomains }: SendingPolicies) {
    const rule = allowedRecipientDomains === null ? 'daily_limit' : 'allowed_recipient_domains';
    super('forbidden', 'invalid_permission', `This API key may not send broadcasts: its rule \`${rule}\`.`);
  }
}

export class OnlyDraftsError extends DomainError {
  constructor() {
    super(
      'forbidden',
      'invalid_permission',
      'This API key may only read and write drafts, which a person sends: its rule `only_drafts`.',
    );
  }
}

export class OnlyDraftsOfSendingKeyError extends ValidationError {
  constructor() {
    super('The `only_drafts` field can only be used with `full_access`.');
  }
}

export class PolicyOfFullAccessKeyError extends ValidationError {
  constructor(field: string) {
    super(`The \`${field}\` field can only be used with \`sending_access\`.`);
  }
}

/** A key with full access could send in ways that these do not reach, for example by an automation. */
export function checkPolicies(permission: ApiKeyAccess, policies: Partial<KeyPolicies>): void {
  if (permission === 'sending_access') {
    if (policies.onlyDrafts === true) throw new OnlyDraftsOfSendingKeyError();
    return;
  }
  const { allowedRecipientDomains, dailyLimit } = policies;
  if ((allowedRecipientDomains ?? null) !== null) throw new PolicyOfFullAccessKeyError('allowed_recipient_domains');
  if ((dailyLimit ?? null) !== null) throw new PolicyOfFullAccessKeyError('daily_limit');
}

/** An empty list is no rule. */
export function parseAllowedIps(texts: readonly string[]): readonly string[] | null {
  return parsedList(texts, (text) => {
    const network = parseNetwork(text.trim());
    if (network !== undefined) return network;
    throw new ValidationError(
      'The `allowed_ips` field must have addresses or networks, such as `192.0.2.7` or `2001:db8::/32`.',
    );
  });
}

/** An empty list is no rule. */
export function parseRecipientDomains(texts: readonly string[]): readonly string[] | null {
  return parsedList(texts, (text) => {
    const domain = parseDomainName(text.trim());
    if (domain !== undefined) return domain;
    throw new ValidationError('The `allowed_recipient_domains` field must have domains, such as `example.com`.');
  });
}

function parsedList(texts: readonly string[], parse: (text: string) => string): readonly string[] | null {
  return texts.length === 0 ? null : [...new Set(texts.map(parse))];
}
