import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { sessionQuery } from '../../api/session';
import { Alert } from '../../parts/alert';
import { useSearchValues } from '../../parts/location';
import { safeNext } from '../../logic/safe-next';
import { OpenLayout } from './open-layout';

export function SignInPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { next } = useSearchValues();
  const [error, setError] = useState<unknown>();
  const [running, setRunning] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setRunning(true);
    setError(undefined);
    try {
      await request('/auth/sign-in/email', {
        method: 'POST',
        body: { email: form.get('email'), password: form.get('password') },
      });
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await navigate({ to: safeNext(next), replace: true });
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return (
    <OpenLayout title={t('signIn:title')}>
      <form onSubmit={(event) => void submit(event)}>
        <Alert error={error} />
        <TextInput
          name="email"
          type="email"
          label={t('signIn:email')}
          autoComplete="username webauthn"
          required
          autoFocus
          withAsterisk={false}
        />
        <PasswordInput
          name="password"
          label={t('signIn:password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
        <Button type="submit" loading={running} h={36} fullWidth>
          {t('signIn:submit')}
        </Button>
      </form>
    </OpenLayout>
  );
}
