import { Chip, Group, NumberInput, Select, Switch, TextInput } from '@mantine/core';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { textOfValue } from '../../logic/automation-draft';
import { propertiesQuery, topicsQuery } from '../audience/audience-queries';
import { templatesQuery } from '../templates/template-choice';
import { broadcastsQuery, triggerKinds, triggerWord } from './automation-queries';
import { ConfigText, EventName, SegmentChoice, withField, type Config, type StepFieldsProps } from './config-fields';
import { StepRule } from './step-rule';

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** What starts a run: an event that programs send, or something that the service sees itself. */
export function TriggerFields(props: StepFieldsProps) {
  const { step, change } = props;
  const { t } = useTranslation();
  const kind = triggerWord(textOfValue(step.config.event_name));
  return (
    <>
      <Select
        label={t('automations:field.trigger')}
        description={t(`automations:triggerText.${kind}`)}
        data={Object.keys(triggerKinds).map((value) => ({ value, label: t(`automations:trigger.${value}`) }))}
        value={kind}
        allowDeselect={false}
        maxDropdownHeight={360}
        onChange={(chosen) => change(chosen === null ? {} : firstConfigOf(chosen))}
      />
      <KindFields {...props} kind={kind} />
    </>
  );
}

function firstConfigOf(kind: string): Config {
  const name = triggerKinds[kind];
  if (name === undefined) return {};
  return kind === 'contact_date'
    ? { event_name: name, offset: '0 days', time: '09:00', every_year: false }
    : { event_name: name };
}

function KindFields({ kind, ...props }: StepFieldsProps & { readonly kind: string }) {
  switch (kind) {
    case 'custom':
      return (
        <>
          <EventName {...props} />
          <StepRule {...props} field="filter_rule" />
        </>
      );
    case 'segment_entered':
      return <SegmentChoice {...props} />;
    case 'topic_subscribed':
      return <Choice {...props} field="topic_id" query={topicsQuery} />;
    case 'contact_date':
      return <DateFields {...props} />;
    case 'contact_created':
    case 'email_received':
      return null;
    default:
      return (
        <>
          <Choice {...props} field="template_id" query={templatesQuery} isOptional />
          <Choice {...props} field="broadcast_id" query={broadcastsQuery} isOptional />
          {kind === 'email_clicked' ? <ConfigText {...props} field="link" /> : null}
        </>
      );
  }
}

interface Named {
  readonly id: string;
  readonly name: string | null;
}

interface ChoiceProps extends StepFieldsProps {
  readonly field: string;
  // The queries differ in their rows only.
  readonly query: Pick<UseQueryOptions<never, Error, never>, 'queryKey'>;
  readonly isOptional?: boolean;
}

function Choice({ step, change, field, query, isOptional = false }: ChoiceProps) {
  const { t } = useTranslation();
  const items = useQuery(query as UseQueryOptions<readonly Named[]>).data ?? [];
  return (
    <Select
      label={t(`automations:field.${field}`)}
      placeholder={isOptional ? t('automations:any') : undefined}
      data={items.map(({ id, name }) => ({ value: id, label: name ?? id }))}
      value={step.config[field] === undefined ? null : textOfValue(step.config[field])}
      clearable={isOptional}
      searchable
      onChange={(id) => change(withField(step.config, field, id ?? undefined))}
    />
  );
}

/** A date of the contact, or days before or after it. */
function DateFields({ step, change }: StepFieldsProps) {
  const { t } = useTranslation();
  const properties = useQuery(propertiesQuery).data ?? [];
  const days = Number.parseInt(textOfValue(step.config.offset), 10) || 0;
  const side = days < 0 ? 'before' : days > 0 ? 'after' : 'on';
  const setDays = (count: number): void => change({ ...step.config, offset: `${count} days` });
  return (
    <>
      <Select
        label={t('automations:field.property')}
        data={properties.map(({ key }) => key)}
        value={step.config.property === undefined ? null : textOfValue(step.config.property)}
        searchable
        nothingFoundMessage={t('automations:noProperties')}
        onChange={(key) => change(withField(step.config, 'property', key ?? undefined))}
      />
      <Group gap={8} grow wrap="nowrap" align="end">
        <Select
          label={t('automations:field.offset')}
          data={['before', 'on', 'after'].map((value) => ({ value, label: t(`automations:offset.${value}`) }))}
          value={side}
          allowDeselect={false}
          onChange={(value) =>
            setDays(value === 'on' ? 0 : (value === 'before' ? -1 : 1) * Math.max(1, Math.abs(days)))
          }
        />
        {side === 'on' ? null : (
          <NumberInput
            label={t('automations:field.days')}
            value={Math.abs(days)}
            min={1}
            max={365}
            onChange={(count) => setDays((side === 'before' ? -1 : 1) * Math.max(1, Number(count) || 1))}
          />
        )}
      </Group>
      <TimeField step={step} change={change} />
      <Switch
        label={t('automations:field.every_year')}
        checked={step.config.every_year === true}
        onChange={(event) => change({ ...step.config, every_year: event.currentTarget.checked })}
      />
    </>
  );
}

function TimeField({ step, change }: Pick<StepFieldsProps, 'step' | 'change'>) {
  const { t } = useTranslation();
  return (
    <TextInput
      type="time"
      label={t('automations:field.time')}
      description={t('automations:fieldText.time')}
      // Its value is empty while a part of it is typed, and setting that would take away the other parts.
      defaultValue={textOfValue(step.config.time)}
      onChange={({ currentTarget: { value } }) => (value === '' ? undefined : change({ ...step.config, time: value }))}
    />
  );
}

/** Waits until a time of day, on some days of the week. */
export function TimeOfDay({ step, change }: StepFieldsProps) {
  const { t } = useTranslation();
  const chosen = (step.config.weekdays ?? []) as readonly string[];
  return (
    <>
      <TimeField step={step} change={change} />
      <div role="group" aria-label={t('automations:field.weekdays')}>
        <p className="quiet">{t('automations:fieldText.weekdays')}</p>
        <Chip.Group
          multiple
          value={[...chosen]}
          onChange={(days: readonly string[]) => {
            const inOrder = weekdays.filter((day) => days.includes(day));
            change(withField(step.config, 'weekdays', inOrder.length === 0 ? undefined : inOrder));
          }}
        >
          <Group gap={6}>
            {weekdays.map((day) => (
              <Chip key={day} value={day} size="xs">
                {t(`automations:weekday.${day}`)}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </div>
    </>
  );
}
