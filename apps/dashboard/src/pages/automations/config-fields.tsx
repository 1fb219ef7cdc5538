import { Autocomplete, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { textOfValue, type AutomationDraft, type DraftStep } from '../../logic/automation-draft';
import { segmentsQuery, useSegmentChoices } from '../audience/audience-queries';
import { emailEvents, eventsQuery } from './automation-queries';

/** A step in the panel beside the canvas, within its automation. */
export interface StepFieldsProps {
  readonly draft: AutomationDraft;
  readonly step: DraftStep;
  readonly change: (config: Config) => void;
}

export type Config = DraftStep['config'];

/** Changes a field of a config; an empty value removes it. */
export const withField = (config: Config, field: string, value: unknown): Config =>
  Object.fromEntries(
    Object.entries({ ...config, [field]: value }).filter(([, kept]) => kept !== undefined && kept !== ''),
  );

export function ConfigText({ step, change, field }: StepFieldsProps & { readonly field: string }) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t(`automations:field.${field}`)}
      description={t(`automations:fieldText.${field}`)}
      value={textOfValue(step.config[field])}
      maxLength={998}
      onChange={(event) => change(withField(step.config, field, event.currentTarget.value))}
      autoComplete="off"
    />
  );
}

export function EventName({ step, change, withEmails = false }: StepFieldsProps & { readonly withEmails?: boolean }) {
  const { t } = useTranslation();
  return (
    <EventNameInput
      label={t('automations:field.event_name')}
      description={t(withEmails ? 'automations:fieldText.waited_event' : `automations:fieldText.${step.type}_event`)}
      value={textOfValue(step.config.event_name)}
      withEmails={withEmails}
      change={(name) => change({ ...step.config, event_name: name })}
    />
  );
}

interface EventNameInputProps {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  readonly withEmails: boolean;
  readonly change: (name: string) => void;
}

/** The name of an event: one of those that are defined, or any other. */
export function EventNameInput({ label, description, value, withEmails, change }: EventNameInputProps) {
  const { t } = useTranslation();
  const events = useQuery(eventsQuery);
  const named = (events.data ?? []).map(({ name }) => name);
  return (
    <Autocomplete
      {...(description === undefined ? { 'aria-label': label } : { label, description })}
      data={[
        { group: t('automations:events.title'), items: named },
        ...(withEmails ? [{ group: t('automations:events.ofEmails'), items: emailEvents }] : []),
      ].filter(({ items }) => items.length > 0)}
      value={value}
      maxLength={255}
      onChange={(name) => change(name.trim())}
    />
  );
}

export function SegmentChoice({ step, change }: StepFieldsProps) {
  const { t } = useTranslation();
  const segments = useSegmentChoices(useQuery(segmentsQuery).data);
  return (
    <Select
      label={t('automations:field.segment_id')}
      data={segments}
      value={step.config.segment_id === undefined ? null : textOfValue(step.config.segment_id)}
      allowDeselect={false}
      searchable
      onChange={(id) => (id === null ? undefined : change({ ...step.config, segment_id: id }))}
    />
  );
}
