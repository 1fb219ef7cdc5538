import { Always, Field, Flag, Id, ListOf, MomentOrNull, OneOf, Shape, Text, TextOrNull, Whole } from '#http/openapi';
import { countsOf } from '../../domain/check-message.js';
import { checkStatuses, CheckFinding } from '../../domain/finding.js';

export const emailId = '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31';

@Shape('The document that the rule of a check comes from.')
export class InsightSource {
  @Text('Its title.', 'RFC 8058 section 3.1: Mail senders when creating a message') title!: string;
  @Field('Its address.', { format: 'uri' }, 'https://www.rfc-editor.org/rfc/rfc8058#section-3.1') url!: string;
}

@Shape('What one check says about a message.')
export class InsightFinding {
  @Text('Name of the check; it does not change.', 'one_click_unsubscribe') id!: string;
  @OneOf(
    checkStatuses,
    '`problem`: hosts refuse or hide such mail. `warning`: many do. `advice`: people like it better otherwise. ' +
      '`not_measured`: what the check needs is not known, or does not apply.',
    'problem',
  )
  status!: string;
  @Text('What was seen, and where.', 'There is no List-Unsubscribe field.') evidence!: string;
  @TextOrNull(
    'What to do; null if there is nothing to do.',
    'Send it to a topic, or as a broadcast: the fields are then added.',
  )
  fix!: string | null;
  @Field('Where the rule comes from.', { type: InsightSource }) source!: InsightSource;
}

@Shape('Number of findings by status.')
export class InsightSummary {
  @Whole('Problems.', 1) problem!: number;
  @Whole('Warnings.', 0) warning!: number;
  @Whole('Pieces of advice.', 2) advice!: number;
  @Whole('What is good.', 24) good!: number;
  @Whole('What was not measured.', 8) not_measured!: number;
}

@Shape('What speaks for and against the delivery of a message.')
export class FindingsResponse {
  @Field('Number of findings by status.', { type: InsightSummary }) summary!: InsightSummary;
  @ListOf(InsightFinding, 'One for each check, the worst first.') findings!: readonly InsightFinding[];
}

@Shape('What speaks for and against the delivery of an email.')
export class EmailInsightsResponse extends FindingsResponse {
  @Always('email_insights') object!: 'email_insights';
  @Id('Id of the email.', emailId) email_id!: string;
}

@Shape('What a dry run would do for a recipient.')
export class TriedRecipient {
  @Text('The address.', 'ada@customer.example') address!: string;
  @OneOf(['to', 'cc', 'bcc'], 'The field that names it.', 'to') kind!: string;
  @Flag('Whether it would get the email.', true) would_send!: boolean;
  @TextOrNull('Why it would not get it, such as `previous_bounce` or `unsubscribed`; null if it would.', null)
  withheld_reason!: string | null;
  @Text('The lane in which the mail to it would wait.', 'eu-west-1/customer.example') lane!: string;
}

@Shape('What sending this email would do. Nothing was sent or stored.')
export class DryRunResponse extends FindingsResponse {
  @Always('email_dry_run') object!: 'email_dry_run';
  @Text('The sender.', 'Acme <hello@acme.example>') from!: string;
  @Text('The subject, with the values of a template.', 'Your order is on its way') subject!: string;
  @ListOf(TriedRecipient, 'Each recipient once, in the order of `to`, `cc` and `bcc`.')
  recipients!: readonly TriedRecipient[];
  @MomentOrNull('When it would be sent; null for now.', null) scheduled_at!: string | null;
  @OneOf(['opportunistic', 'enforced'], 'The TLS that the domain asks for.', 'opportunistic') tls!: string;
  @Whole('Bytes of the message.', 3_214) size!: number;
  @TextOrNull(
    'The message as the first recipient would get it; null above 256 KB.',
    'DKIM-Signature: v=1; a=rsa-sha256; d=acme.example; …',
  )
  source!: string | null;
}

export function findingsResponse(findings: readonly CheckFinding[]): FindingsResponse {
  return {
    summary: countsOf(findings),
    findings: findings.map(({ id, status, evidence, fix, source }) => ({
      id,
      status,
      evidence,
      fix: fix ?? null,
      source,
    })),
  };
}
