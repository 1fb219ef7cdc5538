import { timestamp, timestampOrNull, toResponse } from '#http/server';
import {
  Always,
  Deleted,
  Field,
  Id,
  ListOf,
  Moment,
  MomentOrNull,
  OneOf,
  ReferenceTo,
  Shape,
  Text,
  TextOrNull,
  Whole,
  WholeOrNull,
} from '#http/openapi';
import type { RunInFull } from '../../application/automations.use-case.js';
import { automationStatuses } from '../../domain/automation.js';
import type { Automation, AutomationStatus, AutomationWithGraph } from '../../domain/automation.js';
import type { AutomationTotals } from '../../domain/counts.js';
import { connectionTypes } from '../../domain/graph.js';
import type { StepConnection } from '../../domain/graph.js';
import { runStatuses, runStepStatuses } from '../../domain/run.js';
import type { RunStatus, RunStep, RunSummary } from '../../domain/run.js';
import { entryRules, shownSettings } from '../../domain/settings.js';
import type { EntryRule } from '../../domain/settings.js';
import { stepTypes } from '../../domain/step.js';
import type { StoredStep } from '../../domain/step.js';
import { automationId, contactId, runId } from './example-ids.js';

@Shape('An automation.')
export class AutomationSummaryResponse {
  @Id('Id of the automation.', automationId) id!: string;
  @Text('Name, for people.', 'Welcome') name!: string;
  @OneOf(automationStatuses, '`enabled`: events start runs.', 'enabled') status!: AutomationStatus;
  @Moment('When it was created.', '2026-11-30 20:41:12.3+00') created_at!: string;
  @MomentOrNull('When it was changed last; null if it never was.') updated_at!: string | null;
}

@Shape('An automation in a list, with its numbers.')
export class ListedAutomationResponse extends AutomationSummaryResponse {
  @Whole('Runs that have begun, of all versions.', 1250) runs!: number;
  @Whole('Those that have not ended.', 48) running!: number;
  @Whole('Emails that they sent.', 2310) emails!: number;
}

@Shape('A step of an automation.')
class AutomationStepResponse {
  @Text('Name of the step, unique in the automation.', 'signed up') key!: string;
  @OneOf(stepTypes, 'What the step does.', 'trigger') type!: string;
  @Field('What the type needs.', { type: Object }, { event_name: 'user.created' }) config!: StoredStep['config'];
}

@Shape('A connection from one step to the next.')
class AutomationConnectionResponse {
  @Text('Key of a step.', 'signed up') from!: string;
  @Text('Key of the step that follows.', 'a day') to!: string;
  @OneOf(connectionTypes, 'When it is taken.', 'default') type!: string;
}

@Shape('From one time of day to another.')
class QuietHoursResponse {
  @Text('When they begin.', '21:00') from!: string;
  @Text('When they end.', '08:00') to!: string;
}

@Shape('What holds for all runs of an automation.')
class AutomationSettingsResponse {
  @OneOf(entryRules, 'How often a contact enters.', 'every_time') entry!: EntryRule;
  @TextOrNull('How long after its last run has begun a contact may enter again; null unless `entry` is `after`.')
  entry_after!: string | null;
  @Field('Emails wait until they are over; null: there are none.', { type: QuietHoursResponse, nullable: true }, null)
  quiet_hours!: QuietHoursResponse | null;
  @WholeOrNull('Automated emails that a contact gets in a day; null: any number.')
  max_emails_per_day!: number | null;
  @TextOrNull('Time zone of contacts whose property `time_zone` names none; null: UTC.') time_zone!: string | null;
}

@Shape('An automation with its steps.')
export class AutomationResponse extends AutomationSummaryResponse {
  @Always('automation') object!: 'automation';
  @ListOf(AutomationStepResponse, 'The steps.') steps!: readonly StoredStep[];
  @ListOf(AutomationConnectionResponse, 'The connections between them.') connections!: readonly StepConnection[];
  @Field('Who enters, and when emails are sent.', { type: AutomationSettingsResponse })
  settings!: AutomationSettingsResponse;
}

@Shape('The id of an automation.')
export class AutomationIdResponse extends ReferenceTo('automation', 'Id of the automation.', automationId) {}

@Shape('The automation that was removed.')
export class RemovedAutomationResponse extends Deleted(AutomationIdResponse) {}

@Shape('The automation that was stopped.')
export class StoppedAutomationResponse extends AutomationIdResponse {
  @OneOf(automationStatuses, 'Always `disabled`.', 'disabled') status!: AutomationStatus;
}

@Shape('The secret with which the calls of your automations are signed. It is shown this once.')
export class CallSecretResponse {
  @Always('automation_signing_secret') object!: 'automation_signing_secret';
  @Text('The secret, for the check of signatures as for webhooks.', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
  signing_secret!: string;
}

@Shape('A run of an automation.')
export class AutomationRunSummaryResponse {
  @Id('Id of the run.', runId) id!: string;
  @Id('Id of the contact.', contactId) contact_id!: string;
  @Text('Address of the contact when the run began.', 'ada@example.com') contact_email!: string;
  @OneOf(runStatuses, 'How far it has come.', 'running') status!: RunStatus;
  @MomentOrNull('When its first step began; null before.', '2026-11-30 20:41:12.4+00') started_at!: string | null;
  @MomentOrNull('When it ended; null before.') completed_at!: string | null;
  @Moment('When its event came.', '2026-11-30 20:41:12.3+00') created_at!: string;
}

@Shape('Why a step or a run failed.')
class RunErrorResponse {
  @Text('The reason.', 'Missing `subject` field.') message!: string;
}

@Shape('A step of a run.')
class AutomationRunStepResponse {
  @Text('Name of the step.', 'a day') key!: string;
  @OneOf(stepTypes, 'What the step does.', 'delay') type!: string;
  @OneOf(runStepStatuses, '`pending`: the run has not come to it. `skipped`: it was not done, see `output`.', 'waiting')
  status!: string;
  @Field(
    'What it came to: `email_id` of an email, `result` of a condition, `event` or `timed_out` of a wait, `reason` of a ' +
      'step that was skipped; null if there is nothing to say.',
    { type: Object, nullable: true },
    null,
  )
  output!: RunStep['output'];
  @Field('Why it failed; null if it did not.', { type: RunErrorResponse, nullable: true }, null)
  error!: RunErrorResponse | null;
  @MomentOrNull('When it began; null before.', '2026-11-30 20:41:12.4+00') started_at!: string | null;
  @MomentOrNull('When it ended; null before.') completed_at!: string | null;
  @Moment('When the step was added to the run.', '2026-11-30 20:41:12.3+00') created_at!: string;
}

@Shape('A run with its steps.')
export class AutomationRunResponse extends AutomationRunSummaryResponse {
  @Always('automation_run') object!: 'automation_run';
  @MomentOrNull('When it goes on by itself; null once it has ended.', '2026-12-01 20:41:12.4+00')
  next_step_at!: string | null;
  @TextOrNull('What keeps its next step from being done, such as a used-up quota; null if nothing does.')
  postponed_because!: string | null;
  @ListOf(AutomationRunStepResponse, 'The steps, in the order of the graph.') steps!: AutomationRunStepResponse[];
}

@Shape('The run that was cancelled.')
export class CancelledRunResponse {
  @Always('automation_run') object!: 'automation_run';
  @Id('Id of the run.', runId) id!: string;
  @OneOf(runStatuses, 'Always `cancelled`.', 'cancelled') status!: RunStatus;
}

export const automationSummary = (automation: Automation): AutomationSummaryResponse =>
  toResponse(AutomationSummaryResponse, automation);

export function listedAutomation(
  automation: Automation,
  totals: AutomationTotals | undefined,
): ListedAutomationResponse {
  const { runs, running, emails } = totals ?? { runs: 0, running: 0, emails: 0 };
  return { ...automationSummary(automation), runs, running, emails };
}

export function automationResponse(automation: AutomationWithGraph): AutomationResponse {
  const { graph, settings } = automation;
  return {
    object: 'automation',
    ...automationSummary(automation),
    ...graph.stored,
    settings: shownSettings(settings),
  };
}

export const runSummary = (run: RunSummary): AutomationRunSummaryResponse =>
  toResponse(AutomationRunSummaryResponse, run);

export const runResponse = (run: RunInFull): AutomationRunResponse =>
  toResponse(AutomationRunResponse, run, {
    next_step_at: timestampOrNull(run.dueAt),
    steps: run.steps.map((step) =>
      toResponse(AutomationRunStepResponse, step, {
        error: step.error === null ? null : { message: step.error },
        created_at: timestamp(step.startedAt ?? run.createdAt),
      }),
    ),
  });
