import { toResponse } from '#http/server';
import { Always, Field, Flag, ListOf, Moment, OneOf, Shape, Text, TextOrNull, Texts } from '#http/openapi';
import { runStepStatuses } from '../../domain/run.js';
import { stepTypes } from '../../domain/step.js';
import { Trial, trialStatuses } from '../../domain/trial.js';

@Shape('A step of a trial.')
class TrialStepResponse {
  @Text('Name of the step.', 'ordered') key!: string;
  @OneOf(stepTypes, 'What the step does.', 'wait_for_event') type!: string;
  @OneOf(runStepStatuses, 'What became of it.', 'completed') status!: string;
  @Moment('When it ended, in the time of the trial.', '2026-12-02 20:41:12.3+00') at!: string;
  @Field('What it came to, as in a run.', { type: Object, nullable: true }, { event: 'order.paid', payload: {} })
  output!: object | null;
  @TextOrNull('Why it failed; null if it did not.') error!: string | null;
  @Text('Why it went this way.', '"order.paid" happens at 2026-12-02 20:41 (UTC), so it goes on.') explanation!: string;
  @TextOrNull('Key of the step that follows; null if the run ends here.', 'remember') next!: string | null;
}

@Shape('The contact as it would be at the end.')
class TrialContactResponse {
  @Text('Address.', 'ada@customer.example') email!: string;
  @TextOrNull('First name.', 'Ada') first_name!: string | null;
  @TextOrNull('Last name.') last_name!: string | null;
  @Flag('Whether it has unsubscribed.', false) unsubscribed!: boolean;
  @Field('Values of properties.', { type: Object }, { plan: 'pro' }) properties!: object;
  @Texts('Ids of segments to which it was added.', []) added_to_segments!: readonly string[];
  @Texts('Ids of segments from which it was removed.', []) removed_from_segments!: readonly string[];
  @Flag('Whether it was deleted.', false) deleted!: boolean;
}

@Shape('An email that would be sent.')
class TrialEmailResponse {
  @Text('Key of the step.', 'hello') step_key!: string;
  @Text('Template, as the step names it.', 'welcome') template_id!: string;
  @Text('Subject.', 'Welcome, Ada') subject!: string;
  @TextOrNull('HTML; null if there is none, or if the emails before it were large.', '<p>Welcome</p>')
  html!: string | null;
  @TextOrNull('Text; null if there is none, or if the emails before it were large.') text!: string | null;
  @Text('Sender.', 'Acme <hello@acme.example>') from!: string;
}

@Shape('What a run would do.')
export class AutomationTrialResponse {
  @Always('automation_trial') object!: 'automation_trial';
  @OneOf(trialStatuses, '`not_started`: the event does not pass the filter of the trigger.', 'completed')
  status!: string;
  @ListOf(TrialStepResponse, 'The steps, in the order in which the run comes to them.') steps!: TrialStepResponse[];
  @Field('The contact.', { type: TrialContactResponse }) contact!: TrialContactResponse;
  @ListOf(TrialEmailResponse, 'The emails.') emails!: TrialEmailResponse[];
}

export const trialResponse = (trial: Trial): AutomationTrialResponse =>
  toResponse(AutomationTrialResponse, trial, {
    steps: trial.steps.map((step) => toResponse(TrialStepResponse, step)),
    contact: toResponse(TrialContactResponse, trial.contact, {
      added_to_segments: trial.contact.addedTo,
      removed_from_segments: trial.contact.removedFrom,
      deleted: trial.contact.isDeleted,
    }),
    emails: trial.emails.map((email) => toResponse(TrialEmailResponse, email)),
  });
