import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { methodsQuery, signInWithPassword } from '../../api/auth';
import { answer, api } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { Alert } from '../../parts/alert';
import { useSubmit } from '../../parts/use-submit';
import { takenFragment } from './fragment';
import { OpenLayout } from './open-layout';
import { PersonFields } from './person-fields';

/** Where the link that the first start prints leads: whoever opens it becomes the owner of the installation. */
export function OwnerPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [token] = useState(takenFragment);
  const form = useSubmit(async ({ name = '', email = '', password = '' }) => {
    await answer(api.POST('/owner', { body: { token, name, email, password } }));
    const { password: takesPassword } = await queryClient.fetchQuery(methodsQuery);
    if (takesPassword) await signInWithPassword({ email, password });
    await navigate({ to: takesPassword ? '/app/start' : '/app/sign-in', replace: true });
  });
  if (token === '') return <OpenLayout title={t('signIn:owner.noLink')} text={t('signIn:owner.noLinkText')} />;
  return (
    <OpenLayout title={t('signIn:owner.title')} text={t('signIn:owner.text')}>
      <form onSubmit={form.onSubmit}>
        <Alert error={form.error} />
        <PersonFields />
        <Button type="submit" loading={form.running} h={36} fullWidth>
          {t('signIn:owner.submit')}
        </Button>
      </form>
    </OpenLayout>
  );
}
