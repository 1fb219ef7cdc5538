import { Autocomplete, NumberInput, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { textOfValue, valueOfText, type DraftStep } from '../../logic/automation-draft';
import { propertiesQuery, segmentsQuery, topicsQuery } from '../audience/audience-queries';
import { emailEvents, eventsQuery, templatesQuery } from './automation-queries';
import { StepRule, type StepFieldsProps } from './step-rule';

type Config = DraftStep['config'];

/** The fields of a step, by its type. */
export function StepFields(props: StepFieldsProps) {
  const { t } = useTranslation();
  switch (props.step.type) {
    case 'trigger':
      return <EventName {...props} />;
    case 'send_email':
      return <EmailFields {...props} />;
    case 'delay':
      return <ConfigText {...props} field="duration" />;
    case 'wait_for_event':
      return (
        <>
          <EventName {...props} withEmails />
          <ConfigText {...props} field="timeout" />
          <StepRule {...props} field="filter_rule" />
        </>
      );
    case 'condition':
      return <StepRule {...props} />;
    case 'split':
      return (
        <NumberInput
          label={t('automations:field.percent')}
          description={t('automations:fieldText.percent')}
          value={Number(props.step.config.percent ?? 50)}
          min={0}
          max={100}
          suffix=" %"
          onChange={(percent) => props.change({ percent: Number(percent) })}
        />
      );
    case 'contact_update':
      return <ContactFields {...props} />;
    case 'add_to_segment':
    case 'remove_from_segment':
      return <SegmentChoice {...props} />;
    default:
      return <p className="quiet">{t('automations:about.contact_delete')}</p>;
  }
}

/** Changes a field of a config; an empty value removes it. */
const withField = (config: Config, field: string, value: unknown): Config =>
  Object.fromEntries(
    Object.entries({ ...config, [field]: value }).filter(([, kept]) => kept !== undefined && kept !== ''),
  );

function ConfigText({ step, change, field }: StepFieldsProps & { readonly field: string }) {
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

function EventName({ step, change, withEmails = false }: StepFieldsProps & { readonly withEmails?: boolean }) {
  const { t } = useTranslation();
  const events = useQuery(eventsQuery);
  const named = (events.data ?? []).map(({ name }) => name);
  return (
    <Autocomplete
      label={t('automations:field.event_name')}
      description={t(withEmails ? 'automations:fieldText.waited_event' : 'automations:fieldText.event_name')}
      data={[
        { group: t('automations:events.title'), items: named },
        ...(withEmails ? [{ group: t('automations:events.ofEmails'), items: emailEvents }] : []),
      ].filter(({ items }) => items.length > 0)}
      value={textOfValue(step.config.event_name)}
      maxLength={255}
      onChange={(name) => change({ ...step.config, event_name: name.trim() })}
    />
  );
}

interface TemplateConfig {
  readonly id?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

function EmailFields(props: StepFieldsProps) {
  const { step, change } = props;
  const { t } = useTranslation();
  const templates = useQuery(templatesQuery);
  const topics = useQuery(topicsQuery);
  const template = (step.config.template ?? {}) as TemplateConfig;
  const known = useQuery({
    queryKey: ['template', template.id],
    queryFn: () => answer(api.GET('/templates/{idOrAlias}', { params: { path: { idOrAlias: template.id ?? '' } } })),
    enabled: template.id !== undefined,
    retry: false,
  });
  const choices = (templates.data ?? [])
    .filter(({ status }) => status === 'published')
    .map(({ id, name }) => ({ value: id, label: name }));
  // A program may have named it by its alias.
  const chosen = known.data?.id ?? template.id ?? null;
  return (
    <>
      <Select
        label={t('automations:field.template')}
        description={t('automations:fieldText.template')}
        data={
          chosen === null || choices.some(({ value }) => value === chosen)
            ? choices
            : [...choices, { value: chosen, label: known.data?.name ?? chosen }]
        }
        value={chosen}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t('automations:noTemplates')}
        onChange={(id) => (id === null ? undefined : change({ ...step.config, template: { id } }))}
      />
      {(known.data?.variables ?? []).map(({ key, fallback_value: fallback }) => (
        <TextInput
          key={key}
          label={<code>{key}</code>}
          description={t('automations:fieldText.variable', { tag: '{{event.plan}}' })}
          placeholder={textOfValue(fallback)}
          value={textOfValue(template.variables?.[key])}
          onChange={(event) => {
            const text = event.currentTarget.value;
            const variables = withField(template.variables ?? {}, key, valueOfText(text));
            change({ ...step.config, template: { id: template.id, variables } });
          }}
        />
      ))}
      <ConfigText {...props} field="subject" />
      <ConfigText {...props} field="from" />
      <ConfigText {...props} field="reply_to" />
      <Select
        label={t('automations:field.topic_id')}
        description={t('automations:fieldText.topic_id')}
        data={(topics.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={step.config.topic_id === undefined ? null : textOfValue(step.config.topic_id)}
        clearable
        onChange={(id) => change(withField(step.config, 'topic_id', id ?? undefined))}
      />
    </>
  );
}

function SegmentChoice({ step, change }: StepFieldsProps) {
  const { t } = useTranslation();
  const segments = useQuery(segmentsQuery);
  return (
    <Select
      label={t('automations:field.segment_id')}
      data={(segments.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={step.config.segment_id === undefined ? null : textOfValue(step.config.segment_id)}
      allowDeselect={false}
      searchable
      onChange={(id) => (id === null ? undefined : change({ segment_id: id }))}
    />
  );
}

function ContactFields(props: StepFieldsProps) {
  const { step, change } = props;
  const { t } = useTranslation();
  const known = useQuery(propertiesQuery);
  const properties = (step.config.properties ?? {}) as Config;
  const { unsubscribed } = step.config;
  const setName = (field: string, text: string): void =>
    change(withField(step.config, field, text === '' ? undefined : valueOfText(text)));
  return (
    <>
      <p className="quiet">{t('automations:about.contact_update', { tag: '{{event.plan}}' })}</p>
      {['first_name', 'last_name'].map((field) => (
        <TextInput
          key={field}
          label={t(`automations:field.${field}`)}
          value={textOfValue(step.config[field])}
          maxLength={255}
          onChange={(event) => setName(field, event.currentTarget.value)}
          autoComplete="off"
        />
      ))}
      <Select
        label={t('automations:field.unsubscribed')}
        data={['false', 'true'].map((value) => ({ value, label: t(`automations:unsubscribed.${value}`) }))}
        value={unsubscribed === undefined ? null : textOfValue(unsubscribed)}
        placeholder={t('automations:unchanged')}
        clearable
        onChange={(value) =>
          change(withField(step.config, 'unsubscribed', value === null ? undefined : value === 'true'))
        }
      />
      {(known.data ?? []).map(({ key, type }) => (
        <TextInput
          key={key}
          label={<code>{key}</code>}
          placeholder={t('automations:unchanged')}
          value={textOfValue(properties[key])}
          onChange={(event) => {
            const value = propertyOf(event.currentTarget.value, type === 'number');
            const changed = withField(properties, key, value);
            change(withField(step.config, 'properties', Object.keys(changed).length === 0 ? undefined : changed));
          }}
        />
      ))}
    </>
  );
}

function propertyOf(text: string, isNumber: boolean): unknown {
  if (text === '') return undefined;
  return isNumber && !Number.isNaN(Number(text)) ? Number(text) : valueOfText(text);
}
