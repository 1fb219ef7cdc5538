import { Button, Flex, Modal, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { parseTime } from '../../logic/moments';
import { Alert } from '../../parts/alert';
import { say } from '../../parts/say';
import type { Email } from './email-queries';

interface DialogProps {
  readonly email: Email;
  readonly opened: boolean;
  readonly close: () => void;
}

export function RescheduleDialog({ email, opened, close }: DialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('emails:reschedule.title')}
      size={420}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <RescheduleForm email={email} close={close} />
    </Modal>
  );
}

function RescheduleForm({ email, close }: Omit<DialogProps, 'opened'>) {
  const { t } = useTranslation();
  const [value, setValue] = useState(() => localValue(email.scheduled_at));
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setRunning(true);
    try {
      const body = { scheduled_at: new Date(value).toISOString() };
      await answer(api.PATCH('/emails/{id}', { params: { path: { id: email.id } }, body }));
      await queryClient.invalidateQueries({ queryKey: ['email', email.id] });
      say(t('emails:reschedule.done'));
      close();
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return (
    <Flex component="form" direction="column" gap={16} onSubmit={(event) => void submit(event)}>
      <Alert error={error} />
      <TextInput
        data-autofocus
        type="datetime-local"
        label={t('emails:reschedule.label')}
        description={Intl.DateTimeFormat().resolvedOptions().timeZone}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        required
        withAsterisk={false}
      />
      <Flex gap={8} justify="flex-end">
        <Button variant="default" onClick={close}>
          {t('common:cancel')}
        </Button>
        <Button type="submit" loading={running}>
          {t('emails:reschedule.action')}
        </Button>
      </Flex>
    </Flex>
  );
}

/** As the browser's field wants it: local time, without a zone. */
function localValue(at: string | null): string {
  const time = at === null ? new Date() : parseTime(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
