import { NumberInput, Select, TextInput } from '@mantine/core';
import { Braces, Hash, Type } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { FormModal } from '../../parts/form-modal';
import type { Property } from './audience-queries';
import { KeptList } from './kept-list';

export function PropertiesPage() {
  const { t } = useTranslation();
  return (
    <KeptList<Property>
      kind="properties"
      icon={Braces}
      read={({ limit, after, signal }) =>
        answer(api.GET('/contact-properties', { params: { query: { limit, after } }, signal }))
      }
      remove={(id) => answer(api.DELETE('/contact-properties/{id}', { params: { path: { id } } }))}
      nameOf={({ key }) => key}
      iconOf={({ type }) => (type === 'number' ? Hash : Type)}
      titleOf={({ key }) => <code>{key}</code>}
      textOf={({ type, fallback_value: value }) =>
        value === null
          ? t(`audience:properties.type.${type}`)
          : t('audience:properties.withFallback', { type: t(`audience:properties.type.${type}`), value })
      }
      form={(known, close, saved) => <PropertyForm known={known} close={close} saved={saved} />}
    />
  );
}

interface PropertyFormProps {
  readonly known: Property | undefined;
  readonly close: () => void;
  readonly saved: () => void;
}

function PropertyForm({ known, close, saved }: PropertyFormProps) {
  const { t } = useTranslation();
  const [key, setKey] = useState(known?.key ?? '');
  const [type, setType] = useState<'string' | 'number'>(known?.type ?? 'string');
  const [fallback, setFallback] = useState(String(known?.fallback_value ?? ''));
  const run = async (): Promise<void> => {
    const value = fallback === '' ? null : type === 'number' ? Number(fallback) : fallback;
    if (known === undefined) {
      await answer(api.POST('/contact-properties', { body: { key: key.trim(), type, fallback_value: value } }));
    } else {
      const path = { params: { path: { id: known.id } } };
      await answer(api.PATCH('/contact-properties/{id}', { ...path, body: { fallback_value: value } }));
    }
    saved();
  };
  return (
    <FormModal
      opened
      close={close}
      title={t(known === undefined ? 'audience:properties.addTitle' : 'audience:properties.editTitle')}
      action={t(known === undefined ? 'audience:properties.add' : 'common:save')}
      isReady={key.trim() !== ''}
      run={run}
    >
      <TextInput
        data-autofocus={known === undefined ? true : undefined}
        label={t('audience:properties.key')}
        description={t('audience:properties.keyText', { tag: `{{{contact.${key || 'plan'}}}}` })}
        value={key}
        maxLength={50}
        readOnly={known !== undefined}
        spellCheck={false}
        onChange={(event) => setKey(event.currentTarget.value)}
      />
      <Select
        label={t('audience:properties.typeLabel')}
        data={(['string', 'number'] as const).map((value) => ({
          value,
          label: t(`audience:properties.type.${value}`),
        }))}
        value={type}
        disabled={known !== undefined}
        allowDeselect={false}
        onChange={(value) => setType(value === 'number' ? 'number' : 'string')}
      />
      {type === 'number' ? (
        <NumberInput
          label={t('audience:properties.fallback')}
          description={t('audience:properties.fallbackText')}
          value={fallback}
          onChange={(value) => setFallback(String(value))}
        />
      ) : (
        <TextInput
          label={t('audience:properties.fallback')}
          description={t('audience:properties.fallbackText')}
          value={fallback}
          maxLength={2_000}
          onChange={(event) => setFallback(event.currentTarget.value)}
        />
      )}
    </FormModal>
  );
}
