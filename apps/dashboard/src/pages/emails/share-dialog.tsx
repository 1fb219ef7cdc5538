import { Button, Flex, Modal, Select, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { Alert } from '../../parts/alert';
import { CopyButton } from '../../parts/copy-button';
import styles from './dialogs.module.css';
import type { Email } from './email-queries';

interface DialogProps {
  readonly email: Email;
  readonly opened: boolean;
  readonly close: () => void;
}

const lives = ['1 hour', '24 hours', '48 hours'] as const;

/** A link with which anyone can read the email, for a while. */
export function ShareDialog({ email, opened, close }: DialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('emails:share.title')}
      size={460}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <ShareForm email={email} close={close} />
    </Modal>
  );
}

function ShareForm({ email, close }: Omit<DialogProps, 'opened'>) {
  const { t } = useTranslation();
  const [life, setLife] = useState<string | null>('24 hours');
  const [url, setUrl] = useState<string>();
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    try {
      const body = { expires_in: life ?? '24 hours' };
      const shared = await answer(api.POST('/emails/{id}/share', { params: { path: { id: email.id } }, body }));
      setUrl(shared.url);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Flex component="form" direction="column" gap={16} onSubmit={(event) => void submit(event)}>
      <p className="quiet">{t('emails:share.text')}</p>
      <Alert error={error} />
      {url === undefined ? (
        <Select
          label={t('emails:share.life')}
          data={lives.map((value) => ({ value, label: t(`emails:share.lives.${value.split(' ')[0]}`) }))}
          value={life}
          onChange={setLife}
          allowDeselect={false}
        />
      ) : (
        <div className={styles.link}>
          <TextInput
            readOnly
            value={url}
            aria-label={t('emails:share.link')}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton wide value={url} label={t('common:copy')} />
        </div>
      )}
      <Flex gap={8} justify="flex-end">
        <Button variant="default" onClick={close}>
          {t('common:close')}
        </Button>
        {url === undefined ? <Button type="submit">{t('emails:share.make')}</Button> : null}
      </Flex>
    </Flex>
  );
}
