import { ActionIcon, Box, Button, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { textOfValue, valueOfText } from '../../logic/automation-draft';
import { propertiesQuery } from '../audience/audience-queries';
import styles from './automations.module.css';
import { withField, type Config, type StepFieldsProps } from './config-fields';

export function ContactFields(props: StepFieldsProps) {
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

/** Names and values that a step sends: the payload of an event, the body of a call. */
export function ValueMap({ step, change, field }: StepFieldsProps & { readonly field: string }) {
  const { t } = useTranslation();
  const [entries, setEntries] = useState<readonly (readonly [string, string])[]>(
    Object.entries((step.config[field] ?? {}) as Config).map(([name, value]) => [name, textOfValue(value)]),
  );
  const set = (changed: readonly (readonly [string, string])[]): void => {
    setEntries(changed);
    const named = changed.filter(([name]) => name.trim() !== '');
    const values = Object.fromEntries(named.map(([name, text]) => [name.trim(), valueOfText(text)]));
    change(withField(step.config, field, named.length === 0 ? undefined : values));
  };
  const replace = (at: number, entry: readonly [string, string] | undefined): void =>
    set(entries.flatMap((each, no) => (no !== at ? [each] : entry === undefined ? [] : [entry])));
  return (
    <div className={styles.valueMap} role="group" aria-label={t(`automations:field.${field}`)}>
      <Box fw={550}>{t(`automations:field.${field}`)}</Box>
      <p className="quiet">{t(`automations:fieldText.${field}`, { tag: '{{event.plan}}' })}</p>
      {entries.map(([name, text], at) => (
        <div key={at} className={styles.valueMapRow}>
          <TextInput
            aria-label={t('automations:values.name')}
            value={name}
            maxLength={255}
            onChange={(event) => replace(at, [event.currentTarget.value, text])}
            autoComplete="off"
          />
          <TextInput
            aria-label={t('automations:values.value')}
            value={text}
            maxLength={998}
            onChange={(event) => replace(at, [name, event.currentTarget.value])}
            autoComplete="off"
          />
          <ActionIcon aria-label={t('automations:values.remove')} onClick={() => replace(at, undefined)}>
            <X size={15} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          variant="subtle"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => set([...entries, ['', '']])}
        >
          {t('automations:values.add')}
        </Button>
      </div>
    </div>
  );
}
