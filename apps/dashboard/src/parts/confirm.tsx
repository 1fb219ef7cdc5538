import { Button, Flex, Modal, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './confirm.module.css';
import { errorText } from './error-text';

interface ConfirmProps {
  readonly opened: boolean;
  readonly close: () => void;
  /** A question or a claim: "Delete the API key Production". */
  readonly title: string;
  /** What will be lost, or what follows. */
  readonly children: ReactNode;
  /** The verb on the button. */
  readonly action: string;
  /** Where given, it has to be typed: for what cannot be undone. */
  readonly typed?: string;
  readonly dangerous?: boolean;
  readonly run: () => Promise<unknown>;
}

/** Asks before something is done that cannot be taken back. It stays open with the reason if it could not be done. */
export function Confirm(props: ConfirmProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={props.opened}
      onClose={props.close}
      title={props.title}
      size={460}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <ConfirmForm {...props} />
    </Modal>
  );
}

function ConfirmForm({ close, children, action, typed, dangerous = typed !== undefined, run }: ConfirmProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const isReady = typed === undefined || text.trim() === typed;
  const submit = async (event: React.FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isReady || running) return;
    setRunning(true);
    setError(undefined);
    try {
      await run();
      close();
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return (
    <Flex onSubmit={(event) => void submit(event)} component="form" direction="column" gap={16}>
      <div className={styles.text}>{children}</div>
      {typed === undefined ? null : (
        <TextInput
          data-autofocus
          label={t('common:confirm.type', { name: typed })}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {error === undefined ? null : (
        <p role="alert" className={styles.error}>
          {errorText(error).text}
        </p>
      )}
      <Flex gap={8} justify="flex-end">
        <Button variant="default" onClick={close}>
          {t('common:cancel')}
        </Button>
        <Button type="submit" color={dangerous ? 'red' : 'indigo'} disabled={!isReady} loading={running}>
          {action}
        </Button>
      </Flex>
    </Flex>
  );
}
