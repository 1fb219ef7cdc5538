import { Button, Checkbox, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { CopyButton } from '../../parts/copy-button';
import { FormModal } from '../../parts/form-modal';
import { SenderField } from '../../parts/sender-field';
import styles from './inboxes.module.css';
import type { InboxSummary } from './mail-queries';

interface InboxFormProps {
  /** The inbox that is changed; undefined for a new one. */
  readonly known: InboxSummary | undefined;
  readonly close: () => void;
  readonly saved: () => void;
}

export function InboxForm({ known, close, saved }: InboxFormProps) {
  const { t } = useTranslation();
  const [address, setAddress] = useState('');
  const [name, setName] = useState(known?.name ?? '');
  const [fromName, setFromName] = useState(known?.from_name ?? '');
  const [forwarding, setForwarding] = useState(false);
  const [receiving, setReceiving] = useState<string>();
  const run = async (): Promise<unknown> => {
    const names = { name: name.trim() || null, from_name: fromName.trim() || null };
    if (known !== undefined) {
      await answer(api.PATCH('/inboxes/{inbox}', { params: { path: { inbox: known.id } }, body: names }));
      return saved();
    }
    const body = { ...names, email_address: address.trim(), forwarding };
    const added = await answer(api.POST('/inboxes', { body }));
    saved();
    if (added.receiving_address === null) return;
    setReceiving(added.receiving_address);
    return false;
  };
  if (receiving !== undefined) return <ReceivingAddress address={receiving} close={close} />;
  return (
    <FormModal
      opened
      close={close}
      title={t(known === undefined ? 'inboxes:form.addTitle' : 'inboxes:form.editTitle')}
      action={t(known === undefined ? 'inboxes:add' : 'common:save')}
      isReady={known !== undefined || address.trim() !== ''}
      run={run}
    >
      {known === undefined ? (
        <SenderField
          label={t('inboxes:form.address')}
          description={t('inboxes:form.addressText')}
          placeholder="support@acme.com"
          value={address}
          isNew
          change={setAddress}
        />
      ) : null}
      <TextInput
        label={t('inboxes:form.name')}
        description={t('inboxes:form.nameText')}
        value={name}
        maxLength={64}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t('inboxes:form.fromName')}
        description={t('inboxes:form.fromNameText')}
        value={fromName}
        maxLength={78}
        onChange={(event) => setFromName(event.currentTarget.value)}
      />
      {known === undefined ? (
        <Checkbox
          label={t('inboxes:form.forwarding')}
          description={t('inboxes:form.forwardingText')}
          checked={forwarding}
          onChange={(event) => setForwarding(event.currentTarget.checked)}
        />
      ) : null}
    </FormModal>
  );
}

/** The address to which the other server has to forward. */
export function ReceivingAddress({ address, close }: { readonly address: string; readonly close: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={close}
      title={t('inboxes:receiving.title')}
      size={520}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <div className={styles.receiving}>
        <p>{t('inboxes:receiving.text')}</p>
        <p className={styles.address}>
          <code>{address}</code>
          <CopyButton value={address} label={t('inboxes:receiving.copy')} />
        </p>
        <Button onClick={close}>{t('inboxes:receiving.done')}</Button>
      </div>
    </Modal>
  );
}
