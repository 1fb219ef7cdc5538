import { Button, Checkbox } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { auth } from '../../api/auth';
import { Alert } from '../../parts/alert';
import { useSearchValues } from '../../parts/location';
import { useSubmit } from '../../parts/use-submit';
import { OpenLayout } from './open-layout';
import { NewPasswordField } from './person-fields';

/** Where the link in the mail leads. */
export function ResetPasswordPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { token, error } = useSearchValues();
  const form = useSubmit(async ({ password, keepTools }) => {
    await auth('/reset-password', { newPassword: password, token, keepTools: keepTools !== undefined });
    await navigate({ to: '/app/sign-in', search: { reset: '1' } });
  });
  if (token === undefined || error !== undefined) {
    return (
      <OpenLayout
        title={t('signIn:expired.title')}
        text={t('signIn:expired.text')}
        foot={<Link to="/app/forgot-password">{t('signIn:expired.again')}</Link>}
      />
    );
  }
  return (
    <OpenLayout title={t('signIn:resetting.title')} text={t('signIn:resetting.text')}>
      <form onSubmit={form.onSubmit}>
        <Alert error={form.error} />
        <NewPasswordField />
        <Checkbox name="keepTools" mb="md" label={t('signIn:resetting.keepTools')} />
        <Button type="submit" loading={form.running} h={36} fullWidth>
          {t('signIn:resetting.submit')}
        </Button>
      </form>
    </OpenLayout>
  );
}
