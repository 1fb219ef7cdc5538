import { NumberInput, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { textOfValue, valueOfText } from '../../logic/automation-draft';
import { topicsQuery } from '../audience/audience-queries';
import { templatesQuery } from './automation-queries';
import { ConfigText, EventName, SegmentChoice, withField, type StepFieldsProps } from './config-fields';
import { ContactFields, ValueMap } from './contact-fields';
import { StepRule } from './step-rule';
import { TimeOfDay, TriggerFields } from './trigger-fields';

/** The fields of a step, by its type. */
export function StepFields(props: StepFieldsProps) {
  const { t } = useTranslation();
  switch (props.step.type) {
    case 'trigger':
      return <TriggerFields {...props} />;
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
    case 'wait_until':
      return <TimeOfDay {...props} />;
    case 'goal':
      return (
        <>
          <p className="quiet">{t('automations:about.goal')}</p>
          <EventName {...props} withEmails />
          <StepRule {...props} field="filter_rule" />
        </>
      );
    case 'send_event':
      return (
        <>
          <EventName {...props} />
          <ValueMap {...props} field="payload" />
        </>
      );
    case 'webhook':
      return (
        <>
          <ConfigText {...props} field="url" />
          <ValueMap {...props} field="body" />
          <p className="quiet">{t('automations:about.webhook', { tag: `{{webhooks.${props.step.key}.status}}` })}</p>
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
