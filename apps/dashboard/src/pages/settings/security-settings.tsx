import { Button, Checkbox, PasswordInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { auth } from '../../api/auth';
import { Alert } from '../../parts/alert';
import { useTitle } from '../../parts/page';
import { say } from '../../parts/say';
import { Section } from '../../parts/section';
import { useSubmit } from '../../parts/use-submit';
import { NewPasswordField } from '../sign-in/person-fields';
import { useMay } from '../../api/session';
import { Grants } from './grants';
import { LinkedAccounts } from './linked-accounts';
import { Passkeys } from './passkeys';
import { Sessions } from './sessions';
import styles from './settings.module.css';
import { TwoFactor } from './two-factor';

export function SecuritySettings() {
  const { t } = useTranslation();
  useTitle(t('settings:security.title'));
  const mayGrants = useMay('team:read');
  const password = useSubmit(async ({ current, password: next, endTools }, form) => {
    const passwords = { currentPassword: current, newPassword: next };
    await auth('/change-password', { ...passwords, revokeOtherSessions: true, endTools: endTools !== undefined });
    form.reset();
    say(t('settings:security.passwordChanged'));
  });
  return (
    <div className={styles.column}>
      <Section title={t('settings:security.password')} text={t('settings:security.passwordText')}>
        <form onSubmit={password.onSubmit}>
          <Alert error={password.error} />
          <PasswordInput
            name="current"
            label={t('settings:security.current')}
            autoComplete="current-password"
            required
            withAsterisk={false}
          />
          <NewPasswordField />
          <Checkbox name="endTools" mb="md" label={t('settings:security.endTools')} />
          <Button type="submit" variant="default" loading={password.running}>
            {t('settings:security.change')}
          </Button>
        </form>
      </Section>
      <TwoFactor />
      <Passkeys />
      <LinkedAccounts />
      <Sessions />
      {mayGrants ? <Grants /> : null}
    </div>
  );
}
