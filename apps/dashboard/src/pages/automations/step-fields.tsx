import { NumberInput, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { textOfValue, valueOfText } from '../../logic/automation-draft';
import { SenderField } from '../../parts/sender-field';
import { topicsQuery } from '../audience/audience-queries';
import { TemplateChoice } from '../templates/template-choice';
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
  const topics = useQuery(topicsQuery);
  const template = (step.config.template ?? {}) as TemplateConfig;
  return (
    <>
      <TemplateChoice
        label={t('automations:field.template')}
        value={template.id}
        choose={(id) => change({ ...step.config, template: { id } })}
        variableText={t('automations:fieldText.variable', { tag: '{{event.plan}}' })}
        valueOf={(key) => textOfValue(template.variables?.[key])}
        put={(key, text) => {
          const variables = withField(template.variables ?? {}, key, valueOfText(text));
          change({ ...step.config, template: { id: template.id, variables } });
        }}
      />
      <ConfigText {...props} field="subject" />
      <SenderField
        label={t('automations:field.from')}
        description={t('automations:fieldText.from')}
        value={textOfValue(step.config.from)}
        change={(from) => change(withField(step.config, 'from', from))}
      />
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
