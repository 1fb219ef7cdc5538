import { Button, Flex, Modal } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from './alert';

interface FormModalProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly title: string;
  /** The verb on the button. */
  readonly action: string;
  readonly isReady?: boolean;
  /** It closes when this has ended well, unless `false` is returned. */
  readonly run: () => Promise<unknown>;
  readonly size?: number;
  readonly children: ReactNode;
}

/** A form above the page. It stays open with the reason if the server refused. */
export function FormModal(props: FormModalProps) {
  const { t } = useTranslation();
  const { opened, close, title, size = 480 } = props;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <Form {...props} />
    </Modal>
  );
}

function Form({ close, action, isReady = true, run, children }: FormModalProps) {
  const { t } = useTranslation();
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const submit = async (event: React.FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isReady || running) return;
    setRunning(true);
    setError(undefined);
    try {
      if ((await run()) !== false) close();
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return (
    <Flex onSubmit={(event) => void submit(event)} component="form" direction="column" gap={16}>
      {children}
      <Alert error={error} />
      <Flex gap={8} justify="flex-end">
        <Button variant="default" onClick={close}>
          {t('common:cancel')}
        </Button>
        <Button type="submit" disabled={!isReady} loading={running}>
          {action}
        </Button>
      </Flex>
    </Flex>
  );
}
