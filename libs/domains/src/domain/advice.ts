import { dnsTypeOf, ExpectedRecord } from './expected-record.js';
import { Mistake } from './mistake.js';
import { RecordCheck } from './record-check.js';

export interface AdviceContext {
  /** The name of the zone that the record's name is relative to. */
  readonly zone: string;
  readonly dnsProvider: string | null;
}

/**
 * One paragraph with what was found, what was expected and what to do; undefined if all is well.
 */
export function adviceOn(
  record: ExpectedRecord,
  check: RecordCheck | undefined,
  context: AdviceContext,
): string | undefined {
  if (check?.mistake === undefined) {
    return check?.unanswered === undefined ? undefined : unansweredAdvice(record, check.unanswered);
  }
  const sentences = [
    foundSentence(record, check),
    `Expected: the ${dnsTypeOf(record)} record ${record.host} with the value ${shortened(record.value)}.`,
    remedyFor(check.mistake, record, context),
    providerHint(check.mistake, context.dnsProvider),
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function unansweredAdvice(record: ExpectedRecord, reason: string): string {
  return `The name servers of ${record.host} did not answer (${reason}). The record may be right; it is checked again soon.`;
}

function foundSentence(record: ExpectedRecord, { found = [] }: RecordCheck): string {
  return found.length === 0
    ? `There is no ${dnsTypeOf(record)} record at ${record.host}.`
    : `Found: ${found.map(shortened).join(' | ')}.`;
}

function shortened(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 90)}…${text.slice(-20)}`;
}

function remedyFor(mistake: Mistake, record: ExpectedRecord, { zone }: AdviceContext): string {
  const relative = record.host === zone ? '@' : record.host.slice(0, -zone.length - 1);
  switch (mistake) {
    case 'missing':
      return record.purpose === 'optional'
        ? 'Publishing it is recommended.'
        : 'Add this record. If you already did, DNS changes can take a few hours.';
    case 'zone_name_appended':
      return `The provider appends ${zone} to every name: enter "${relative}" only.`;
    case 'published_at_wrong_name':
      return `The value is published at another name: it belongs to "${relative}".`;
    case 'quotes_kept':
      return 'The quotes became part of the value: enter it without quotes.';
    case 'backslashes_kept':
      return 'Backslashes became part of the value: enter the semicolons without a backslash.';
    case 'name_in_value':
      return 'The name of the record was pasted into its value: the value must be what is shown here and nothing else.';
    case 'several_records':
      return 'There are several records at this name, and receivers take any of them: keep only the expected one.';
    case 'several_spf_records':
      return 'A name must have only one SPF record. With several, receivers ignore them all: merge them into one.';
    case 'invalid_syntax':
      return 'Receivers cannot read this record: replace it with the expected value.';
    case 'dkim_other_key':
      return 'This is the key of another account or of an earlier set-up: replace the value.';
    case 'dkim_truncated_key':
      return 'The value was cut off, often at 255 characters: enter all of it, split into several strings if necessary.';
    case 'dkim_damaged_key':
      return 'Characters of the key were changed or lost: copy the value again.';
    case 'dkim_revoked_key':
      return 'An empty p= says that the key is revoked: replace the value.';
    case 'dkim_wrong_key_type':
      return 'The k= tag names another kind of key: copy the value again.';
    case 'dkim_wrong_hash':
      return 'The h= tag does not allow sha256: remove it.';
    case 'dkim_wrong_service':
      return 'The s= tag does not allow the key for email: remove it.';
    case 'dkim_version_not_first':
      return 'The v=DKIM1 tag must come first and be spelled like this.';
    case 'wrong_target':
      return 'The record points to another host: replace the value.';
    case 'target_has_zone_appended':
      return `The provider appended ${zone} to the value: end the value with a dot.`;
    case 'proxied':
      return 'The name answers with addresses instead of an alias: switch the proxy off for this record (DNS only).';
    case 'alias_in_the_way':
      return 'The name is an alias (CNAME), which cannot have other records: remove the alias or use another name.';
    case 'value_as_alias':
      return 'The record was made as a CNAME: make it a TXT record.';
    case 'service_key_unpublished':
      return 'Your record is right; the key behind it is not published yet by this service. There is nothing for you to do.';
    case 'caa_not_authorized':
      return 'The zone says who may issue certificates for it and does not name the one that tracked links need: add the record beside those there are.';
    case 'spf_not_authorized':
      return 'The SPF record does not name this service: add what is missing before its "all".';
    case 'spf_rejected':
      return 'The SPF record names this service with a qualifier that does not let it pass: remove the -, ~ or ? before it.';
    case 'spf_after_all':
      return 'Everything after "all" is ignored: move "all" to the end.';
    case 'spf_too_many_lookups':
      return 'The record needs more than 10 look-ups, its includes and redirects counted, so receivers ignore all of it: remove what is no longer used.';
    case 'spf_broken_include':
      return 'An include or redirect leads to a name without a usable SPF record, or in a circle, so receivers ignore all of it: remove it.';
    case 'spf_version_missing':
      return 'An SPF record must begin with "v=spf1 ", the space included.';
    case 'mx_other_preferred':
      return 'Other hosts have a lower or equal preference and get the mail: remove their MX records from this name.';
    case 'mx_null':
      return 'A null MX says that this name takes no mail: remove it.';
    case 'mx_is_address':
      return 'An MX record must name a host, not an IP address.';
    case 'dmarc_misaligned':
      return 'With aspf=s only DKIM can satisfy DMARC, since bounces come back to a subdomain: remove it, or change it to aspf=r.';
    case 'dmarc_invalid_policy':
      return 'The p= tag must be none, quarantine or reject: without it receivers ignore the record.';
    case 'dmarc_invalid_report_address':
      return 'Report addresses must be written like mailto:dmarc@example.com.';
    case 'tls_reporting_invalid_address':
      return 'The rua= tag must have addresses like mailto:tls@example.com or https://example.com/reports.';
  }
}

const nameMistakes: ReadonlySet<Mistake> = new Set(['missing', 'zone_name_appended', 'published_at_wrong_name']);

function providerHint(mistake: Mistake, provider: string | null): string {
  if (provider === null) return '';
  if (mistake === 'proxied' && provider === 'Cloudflare')
    return 'At Cloudflare, click the orange cloud so that it turns grey.';
  return nameMistakes.has(mistake) ? `Your DNS is at ${provider}.` : '';
}
