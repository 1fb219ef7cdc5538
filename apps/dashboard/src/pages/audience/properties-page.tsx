import { ActionIcon, Button, NumberInput, Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Braces, Hash, Pencil, Plus, Trash2, Type } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import { ShortList } from '../../list/short-list';
import { usePages } from '../../list/use-pages';
import { Confirm } from '../../parts/confirm';
import { FormModal } from '../../parts/form-modal';
import { say } from '../../parts/say';
import { Row } from '../../parts/section';
import { AudiencePage } from './audience-page';
import type { Property } from './audience-queries';

type Asking = { readonly kind: 'add' } | { readonly kind: 'edit' | 'delete'; readonly property: Property };

export function PropertiesPage() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mayWrite = useMay('audience:write');
  const [asking, setAsking] = useState<Asking>();
  const rows = usePages<Property>(['properties'], ({ limit, after, signal }) =>
    answer(api.GET('/contact-properties', { params: { query: { limit, after } }, signal })),
  );
  const changed = (): void => void client.invalidateQueries({ queryKey: ['properties'] });
  const add = (
    <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setAsking({ kind: 'add' })}>
      {t('audience:properties.add')}
    </Button>
  );
  return (
    <AudiencePage actions={mayWrite ? add : undefined}>
      <ShortList
        rows={rows}
        icon={Braces}
        empty={t('audience:properties.empty')}
        emptyText={t('audience:properties.emptyText')}
        add={mayWrite ? add : undefined}
        row={(property) => (
          <Row
            key={property.id}
            icon={property.type === 'number' ? <Hash size={16} aria-hidden /> : <Type size={16} aria-hidden />}
            title={<code>{property.key}</code>}
            text={
              property.fallback_value === null
                ? t(`audience:properties.type.${property.type}`)
                : t('audience:properties.withFallback', {
                    type: t(`audience:properties.type.${property.type}`),
                    value: property.fallback_value,
                  })
            }
          >
            {mayWrite ? (
              <>
                <ActionIcon
                  aria-label={t('audience:properties.editOne', { name: property.key })}
                  onClick={() => setAsking({ kind: 'edit', property })}
                >
                  <Pencil size={15} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  aria-label={t('audience:properties.deleteOne', { name: property.key })}
                  onClick={() => setAsking({ kind: 'delete', property })}
                >
                  <Trash2 size={15} aria-hidden />
                </ActionIcon>
              </>
            ) : null}
          </Row>
        )}
      />
      {asking === undefined || asking.kind === 'delete' ? null : (
        <PropertyForm
          known={asking.kind === 'edit' ? asking.property : undefined}
          close={() => setAsking(undefined)}
          saved={changed}
        />
      )}
      <Confirm
        opened={asking?.kind === 'delete'}
        close={() => setAsking(undefined)}
        title={t('audience:properties.deleteTitle', { name: asking?.kind === 'delete' ? asking.property.key : '' })}
        action={t('audience:delete')}
        dangerous
        run={async () => {
          if (asking?.kind !== 'delete') return;
          await answer(api.DELETE('/contact-properties/{id}', { params: { path: { id: asking.property.id } } }));
          say(t('audience:properties.deleted'));
          changed();
        }}
      >
        <p>{t('audience:properties.deleteText')}</p>
      </Confirm>
    </AudiencePage>
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
