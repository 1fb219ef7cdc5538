import { Button, Flex, Modal, PasswordInput, Stack } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../api/client';
import { setStepUp } from '../api/step-up';
import { Alert } from '../parts/alert';
import { useSubmit } from '../parts/use-submit';

/** Asks for the password before a dangerous action, some time after the sign-in. */
export function StepUpDialog() {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const settle = useRef<(confirmed: boolean) => void>(undefined);
  useEffect(
    () =>
      setStepUp(() => {
        setOpened(true);
        return new Promise((resolve) => (settle.current = resolve));
      }),
    [],
  );
  const end = (confirmed: boolean): void => {
    setOpened(false);
    settle.current?.(confirmed);
  };
  return (
    <Modal
      opened={opened}
      onClose={() => end(false)}
      title={t('frame:stepUp.title')}
      size={400}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <StepUpForm end={end} />
    </Modal>
  );
}

function StepUpForm({ end }: { readonly end: (confirmed: boolean) => void }) {
  const { t } = useTranslation();
  const form = useSubmit(async ({ secret = '' }) => {
    await answer(api.POST('/me/confirm', { body: { password: secret } }));
    end(true);
  });
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap={16}>
        <p className="quiet">{t('frame:stepUp.text')}</p>
        <Alert error={form.error} />
        <PasswordInput
          data-autofocus
          name="secret"
          label={t('signIn:password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
        <Flex gap={8} justify="flex-end">
          <Button variant="default" onClick={() => end(false)}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={form.running}>
            {t('frame:stepUp.submit')}
          </Button>
        </Flex>
      </Stack>
    </form>
  );
}
