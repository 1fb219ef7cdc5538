import { Checkbox, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { FormModal } from '../../parts/form-modal';
import { useRegions } from './use-regions';

interface AddDomainProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly added: (id: string) => void;
}

export function AddDomain({ opened, close, added }: AddDomainProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [dkim, setDkim] = useState<'txt' | 'cname'>('txt');
  const [region, setRegion] = useState<string>();
  const [receiving, setReceiving] = useState(false);
  const regions = useRegions();
  const run = async (): Promise<void> => {
    const body = {
      name: name.trim(),
      dkim,
      region,
      capabilities: { sending: 'enabled', receiving: receiving ? 'enabled' : 'disabled' },
    };
    const { id } = await answer(api.POST('/domains', { body: body as never }));
    // The first look at the DNS says what is missing. Where it fails, the next one comes by itself.
    await api.POST('/domains/{id}/verify', { params: { path: { id } } }).catch(() => undefined);
    setName('');
    added(id);
  };
  return (
    <FormModal
      opened={opened}
      close={close}
      title={t('domains:add.title')}
      action={t('domains:add.button')}
      isReady={name.trim() !== ''}
      run={run}
    >
      <TextInput
        data-autofocus
        label={t('domains:add.name')}
        description={t('domains:add.nameText')}
        placeholder="mail.acme.com"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <Select
        label={t('domains:add.dkim')}
        description={t('domains:add.dkimText')}
        data={[
          { value: 'txt', label: t('domains:add.txt') },
          { value: 'cname', label: t('domains:add.cname') },
        ]}
        value={dkim}
        onChange={(value) => setDkim(value === 'cname' ? 'cname' : 'txt')}
        allowDeselect={false}
      />
      {regions.length === 0 ? null : (
        <Select
          label={t('domains:add.region')}
          description={t('domains:add.regionText')}
          data={regions.map(({ name }) => name)}
          value={region ?? regions.find(({ is_default }) => is_default)?.name ?? null}
          onChange={(value) => setRegion(value ?? undefined)}
          allowDeselect={false}
        />
      )}
      <Checkbox
        label={t('domains:add.receiving')}
        checked={receiving}
        onChange={(event) => setReceiving(event.currentTarget.checked)}
      />
    </FormModal>
  );
}
