import { Progress, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { pastedAddresses } from '../../logic/pasted-addresses';
import { FormModal } from '../../parts/form-modal';
import { say } from '../../parts/say';

/** Addresses of one request. */
const batchSize = 100;

interface AddSuppressionsProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly added: () => void;
}

/** Takes whatever was pasted, or a dropped file. */
export function AddSuppressions({ opened, close, added }: AddSuppressionsProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [done, setDone] = useState<number>();
  const { addresses, refused } = pastedAddresses(text);
  const run = async (): Promise<void> => {
    try {
      for (let from = 0; from < addresses.length; from += batchSize) {
        setDone(from);
        await answer(
          api.POST('/suppressions/batch/add', { body: { emails: addresses.slice(from, from + batchSize) } }),
        );
      }
      say(t('suppressions:add.done', { count: addresses.length }));
      setText('');
    } finally {
      setDone(undefined);
      added();
    }
  };
  const drop = (event: React.DragEvent): void => {
    const [file] = event.dataTransfer.files;
    if (file === undefined) return;
    event.preventDefault();
    void file.text().then(setText);
  };
  return (
    <FormModal
      opened={opened}
      close={close}
      title={t('suppressions:add.title')}
      action={
        addresses.length > 1 ? t('suppressions:add.many', { count: addresses.length }) : t('suppressions:add.button')
      }
      isReady={addresses.length > 0}
      run={run}
    >
      <Textarea
        data-autofocus
        label={t('suppressions:add.label')}
        description={t('suppressions:add.text')}
        placeholder={'ann@example.org\nbob@example.org'}
        minRows={6}
        maxRows={14}
        autosize
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onDrop={drop}
        spellCheck={false}
      />
      <p className="quiet" role="status">
        {t('suppressions:add.found', { count: addresses.length })}
        {refused.length === 0 ? '' : ` ${t('suppressions:add.refused', { count: refused.length })}`}
      </p>
      {done === undefined || addresses.length <= batchSize ? null : (
        <Progress value={(done / addresses.length) * 100} aria-label={t('suppressions:add.title')} />
      )}
    </FormModal>
  );
}
