import { timestamp } from '#http/server';
import { Always, Field, ListOf, Moment, OneOf, OptionalField, Shape, Text, Whole } from '#http/openapi';
import type { AutomationMetrics } from '../../application/automations.use-case.js';
import type { MailCounts } from '../../domain/counts.js';
import { connectionTypes } from '../../domain/graph.js';
import { stepTypes } from '../../domain/step.js';

@Shape('The runs of an automation.')
class AutomationRunCountsResponse {
  @Whole('Runs that have begun.', 1_200) started!: number;
  @Whole('Runs that are under way.', 300) running!: number;
  @Whole('Runs that have come to their end.', 880) completed!: number;
  @Whole('Runs in which a step failed.', 5) failed!: number;
  @Whole('Runs that were cancelled.', 15) cancelled!: number;
  @Whole('Events of contacts that may not enter again, by the settings.', 40) not_entered!: number;
  @Whole('Completed runs that ended because they reached a goal.', 210) goals!: number;
}

@Shape(
  'What became of the emails of a step. Each kind counts once for an email; what machines open and click does not.',
)
class AutomationEmailCountsResponse {
  @Whole('Emails that were sent.', 1_180) sent!: number;
  @Whole('Delivered.', 1_170) delivered!: number;
  @Whole('Opened by a person.', 600) opened!: number;
  @Whole('Clicked by a person.', 220) clicked!: number;
  @Whole('Bounced.', 8) bounced!: number;
  @Whole('Reported as spam.', 1) complained!: number;
  @Whole('Followed by an unsubscribe.', 4) unsubscribed!: number;
}

@Shape('The runs that have come to a step.')
class AutomationStepCountsResponse {
  @Text('Name of the step.', 'hello') key!: string;
  @OneOf(stepTypes, 'What the step does.', 'send_email') type!: string;
  @Whole('Runs that have come to it.', 1_190) entered!: number;
  @Whole('Runs that wait in it now.', 10) waiting!: number;
  @Whole('Runs that have done it.', 1_180) completed!: number;
  @Whole('Runs in which it failed.', 0) failed!: number;
  @Whole('Runs that have left it out.', 0) skipped!: number;
  @OptionalField('Of a step that sends emails.', { type: AutomationEmailCountsResponse }) emails?: MailCounts;
}

@Shape('The runs that went along a connection.')
class AutomationPassageResponse {
  @Text('Key of a step.', 'signed up') from!: string;
  @Text('Key of the step that follows.', 'hello') to!: string;
  @OneOf(connectionTypes, 'When it is taken.', 'default') type!: string;
  @Whole('Runs that went along it.', 1_190) passed!: number;
}

@Shape('The numbers of an automation: of all runs, and of the steps that it has now.')
export class AutomationMetricsResponse {
  @Always('automation_metrics') object!: 'automation_metrics';
  @Field('Its runs.', { type: AutomationRunCountsResponse }) runs!: AutomationRunCountsResponse;
  @ListOf(AutomationStepCountsResponse, 'Its steps.') steps!: readonly AutomationStepCountsResponse[];
  @ListOf(AutomationPassageResponse, 'Its connections.') connections!: readonly AutomationPassageResponse[];
  @Moment('When they were read.', '2026-11-30 20:41:12.3+00') updated_at!: string;
}

export function metricsResponse({ graph, counts, at }: AutomationMetrics): AutomationMetricsResponse {
  const { started, completed, failed, cancelled, notEntered, goals } = counts.runs;
  return {
    object: 'automation_metrics',
    runs: {
      started,
      // What was begun before it was counted is left out.
      running: Math.max(0, started - completed - failed - cancelled),
      completed,
      failed,
      cancelled,
      not_entered: notEntered,
      goals,
    },
    steps: graph.stored.steps.map(({ key, type }) => {
      const step = counts.steps.get(key);
      const { entered = 0, waiting = 0, completed: done = 0, failed: failures = 0, skipped = 0 } = step ?? {};
      return {
        key,
        type,
        entered,
        waiting,
        completed: done,
        failed: failures,
        skipped,
        ...(type === 'send_email' && { emails: step?.emails ?? noMail }),
      };
    }),
    connections: graph.stored.connections.map((connection) => ({
      ...connection,
      passed: counts.steps.get(connection.from)?.passed[connection.type] ?? 0,
    })),
    updated_at: timestamp(at),
  };
}

const noMail: MailCounts = {
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  bounced: 0,
  complained: 0,
  unsubscribed: 0,
};
