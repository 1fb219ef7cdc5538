import { EmailAddress, parseEmailAddress } from '#kernel';
import type { MailHostsFinding } from '#mx';
import type { SuppressionOrigin } from '#suppressions';
import { mendedDomain, suggestedDomain } from './typo.js';

export const verdicts = ['good', 'unknown', 'risky', 'bad'] as const;
export const mailHostFindings = ['found', 'none', 'null_mx', 'unknown', 'not_checked'] as const;

/** `not_checked`: the address is not valid, or its team has asked about too many domains. */
export type MailHostsOfAddress = MailHostsFinding | 'not_checked';

/** What is known about an address without asking its mail hosts. */
export interface AddressValidation {
  /** As it was given. */
  readonly email: string;
  readonly isValid: boolean;
  /** The address that was probably meant. */
  readonly suggestion: string | undefined;
  readonly mailHosts: MailHostsOfAddress;
  readonly isDisposable: boolean;
  /** Of a function and not of a person, such as `info@`. */
  readonly isRole: boolean;
  readonly suppressed: SuppressionOrigin | undefined;
  readonly bouncedAt: Date | undefined;
}

export function verdictOf(validation: AddressValidation): (typeof verdicts)[number] {
  const { isValid, mailHosts, suppressed, suggestion, isDisposable, isRole, bouncedAt } = validation;
  if (!isValid || mailHosts === 'none' || mailHosts === 'null_mx' || suppressed !== undefined) return 'bad';
  if (suggestion !== undefined || isDisposable || isRole || bouncedAt !== undefined) return 'risky';
  return mailHosts === 'found' ? 'good' : 'unknown';
}

/** No address is longer. A text beyond it is not looked at. */
const maxLength = 320;

/** Mends a mistyped domain, and commas or no dot at all in its place. */
export function suggestionFor(text: string): string | undefined {
  const at = text.lastIndexOf('@');
  if (at < 1 || text.length > maxLength) return undefined;
  const local = text.slice(0, at);
  const mended = mendedDomain(text.slice(at + 1));
  const parsed = parseEmailAddress(`${local}@${mended}`);
  if (parsed === undefined) return undefined;
  const domain = suggestedDomain(parsed.domain);
  if (domain !== undefined) return `${local}@${domain}`;
  return parseEmailAddress(text) === undefined ? parsed.address : undefined;
}

/** RFC 2142, and the names that are usual beside it. */
const roles: ReadonlySet<string> = new Set(
  (
    'abuse admin administrator billing bounce bounces career careers compliance contact dns do-not-reply donotreply ' +
    'feedback finance ftp hello help helpdesk hostmaster hr info inquiries invoices jobs legal mail mailer-daemon ' +
    'marketing media news newsletter no-reply noc noreply notifications office orders post postmaster press privacy ' +
    'recruiting registrar root sales security service spam support sysadmin team tech usenet uucp webmaster welcome www ' +
    'bewerbung buchhaltung datenschutz kontakt rechnung vertrieb verwaltung contacto contato ventas'
  ).split(' '),
);

/** What follows a plus sign does not count. */
export function isRole({ local }: EmailAddress): boolean {
  const plus = local.indexOf('+');
  return roles.has((plus < 0 ? local : local.slice(0, plus)).toLowerCase());
}

/** A domain, and those above it that are no top-level domain. */
export function withParents(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}
