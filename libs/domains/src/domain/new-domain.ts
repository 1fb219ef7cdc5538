import { parseDomainName, ValidationError } from '#kernel';
import { DkimPublication, DomainSettings, TlsPolicy } from './domain.js';

/** Settings of a new domain, or changes of an existing one. Absent fields keep their default or current value. */
export interface DomainChanges {
  readonly tls?: TlsPolicy;
  readonly openTracking?: boolean;
  readonly clickTracking?: boolean;
  readonly trackingSubdomain?: string;
  readonly sending?: boolean;
  readonly receiving?: boolean;
  readonly failover?: boolean;
  readonly region?: string;
}

export interface NewDomain extends DomainChanges {
  readonly name: string;
  readonly customReturnPath?: string;
  readonly dkimPublication?: DkimPublication;
}

const defaults: DomainSettings = {
  tls: 'opportunistic',
  openTracking: false,
  clickTracking: false,
  trackingSubdomain: null,
  sending: true,
  receiving: false,
  failover: false,
};

export const defaultReturnPath = 'send';

export function parseNewName(text: string): string {
  const name = parseDomainName(text.trim());
  if (name === undefined) throw new ValidationError('The `name` field is not a valid domain name.');
  return name;
}

/** Returns the settings with the changes applied. Throws if the result is contradictory. */
export function settingsWith(
  changes: DomainChanges,
  returnPath: string,
  current: DomainSettings = defaults,
): DomainSettings {
  const settings = {
    tls: changes.tls ?? current.tls,
    openTracking: changes.openTracking ?? current.openTracking,
    clickTracking: changes.clickTracking ?? current.clickTracking,
    trackingSubdomain: subdomain('tracking_subdomain', changes.trackingSubdomain) ?? current.trackingSubdomain,
    sending: changes.sending ?? current.sending,
    receiving: changes.receiving ?? current.receiving,
    failover: changes.failover ?? current.failover,
  };
  if (!settings.sending && !settings.receiving) {
    throw new ValidationError('At least one of the `capabilities` must be enabled.');
  }
  if (settings.trackingSubdomain === returnPath) {
    throw new ValidationError('The `tracking_subdomain` must differ from the `custom_return_path`.');
  }
  return settings;
}

const label = /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Parses a label that starts with a letter and ends with a letter or digit (docs/wire-contract.md section 6). */
export function subdomain(field: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const lower = text.trim().toLowerCase();
  if (label.test(lower)) return lower;
  throw new ValidationError(
    `The \`${field}\` must start with a letter, end with a letter or digit, have only letters, digits and hyphens, and at most 63 of them.`,
  );
}
