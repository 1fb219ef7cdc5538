import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { FormModal } from '../../parts/form-modal';
import styles from './labels.module.css';
import { useMail, type Label } from './mail-queries';

/** Colours that are told apart on light and on dark ground. */
const colors = ['#5b54e8', '#2f7fe0', '#1f9aa8', '#2f9e6b', '#b98128', '#d9622b', '#d6457f', '#8160cc', '#7a7a88'];

interface LabelFormProps {
  readonly known: Label | undefined;
  readonly close: () => void;
  /** After a new one was added. */
  readonly added?: (id: string) => Promise<unknown>;
}

export function LabelForm({ known, close, added }: LabelFormProps) {
  const { t } = useTranslation();
  const { inboxId, refresh } = useMail();
  const [name, setName] = useState(known?.name ?? '');
  const [color, setColor] = useState(known?.color.toLowerCase() ?? colors[0] ?? '');
  const offered = colors.includes(color) ? colors : [color, ...colors];
  const run = async (): Promise<void> => {
    const body = { name: name.trim(), color };
    if (known === undefined) {
      const path = { inbox: inboxId };
      const { id } = await answer(api.POST('/inboxes/{inbox}/labels', { params: { path }, body }));
      await added?.(id);
    } else {
      const path = { inbox: inboxId, id: known.id };
      await answer(api.PATCH('/inboxes/{inbox}/labels/{id}', { params: { path }, body }));
    }
    await refresh();
  };
  return (
    <FormModal
      opened
      close={close}
      size={420}
      title={t(known === undefined ? 'inboxes:label.addTitle' : 'inboxes:label.editTitle')}
      action={t(known === undefined ? 'inboxes:label.add' : 'common:save')}
      isReady={name.trim() !== ''}
      run={run}
    >
      <TextInput
        data-autofocus
        label={t('inboxes:label.name')}
        value={name}
        maxLength={64}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <fieldset className={styles.colors}>
        <legend>{t('inboxes:label.color')}</legend>
        {offered.map((one) => (
          <input
            key={one}
            type="radio"
            name="color"
            aria-label={one}
            value={one}
            checked={one === color}
            style={{ background: one }}
            className={styles.color}
            onChange={() => setColor(one)}
          />
        ))}
      </fieldset>
    </FormModal>
  );
}
