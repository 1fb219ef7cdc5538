import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { auth } from '../../api/auth';
import { Alert } from '../../parts/alert';
import { useSubmit } from '../../parts/use-submit';
import { OpenLayout } from './open-layout';
import { PersonFields } from './person-fields';

/** For everybody, if the operator has opened it. */
export function SignUpPage() {
  const { t } = useTranslation();
  const [sentTo, setSentTo] = useState<string>();
  const form = useSubmit(async ({ name, email, password }) => {
    await auth('/sign-up/email', { name, email, password, callbackURL: '/app/sign-in?verified=1' });
    setSentTo(email);
  });
  const foot = (
    <span>
      {t('signIn:hasAccount')}{' '}
      <Link to="/app/sign-in" search={{}}>
        {t('signIn:submit')}
      </Link>
    </span>
  );
  if (sentTo !== undefined) {
    return (
      <OpenLayout title={t('signIn:mailed.title')} text={t('signIn:mailed.verify', { email: sentTo })} foot={foot} />
    );
  }
  return (
    <OpenLayout title={t('signIn:up.title')} foot={foot}>
      <form onSubmit={form.onSubmit}>
        <Alert error={form.error} />
        <PersonFields />
        <Button type="submit" loading={form.running} h={36} fullWidth>
          {t('signIn:up.submit')}
        </Button>
      </form>
    </OpenLayout>
  );
}
