import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { auth } from '../../api/auth';
import { Alert } from '../../parts/alert';
import { useSubmit } from '../../parts/use-submit';
import { OpenLayout } from './open-layout';

export function ForgotPasswordPage() {
  const { t } = useTranslation();
  const [sentTo, setSentTo] = useState<string>();
  const form = useSubmit(async ({ email }) => {
    await auth('/request-password-reset', { email, redirectTo: '/app/reset-password' });
    setSentTo(email);
  });
  const foot = (
    <Link to="/app/sign-in" search={{}}>
      {t('signIn:back')}
    </Link>
  );
  if (sentTo !== undefined) {
    return (
      <OpenLayout title={t('signIn:mailed.title')} text={t('signIn:mailed.reset', { email: sentTo })} foot={foot} />
    );
  }
  return (
    <OpenLayout title={t('signIn:forgotten.title')} text={t('signIn:forgotten.text')} foot={foot}>
      <form onSubmit={form.onSubmit}>
        <Alert error={form.error} />
        <TextInput
          name="email"
          type="email"
          label={t('signIn:email')}
          autoComplete="username"
          required
          autoFocus
          withAsterisk={false}
        />
        <Button type="submit" loading={form.running} h={36} fullWidth>
          {t('signIn:forgotten.submit')}
        </Button>
      </form>
    </OpenLayout>
  );
}
