import { Always, Field, Id, ListOf, OneOf, Shape, Text, TextOrNull, Whole } from '#http/openapi';
import { checkStatuses } from '../../domain/finding.js';
import { emailId } from './example-ids.js';

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
    'Send it to a topic, or as a broadcast: the fields are added.',
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

@Shape('What speaks for and against the delivery of an email.')
export class EmailInsightsResponse {
  @Always('email_insights') object!: 'email_insights';
  @Id('Id of the email.', emailId) email_id!: string;
  @Field('Number of findings by status.', { type: InsightSummary }) summary!: InsightSummary;
  @ListOf(InsightFinding, 'One for each check, the worst first.') findings!: readonly InsightFinding[];
}
