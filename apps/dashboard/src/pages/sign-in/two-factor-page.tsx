import { Button, Checkbox, TextInput, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { auth, renewSession } from '../../api/auth';
import { Alert } from '../../parts/alert';
import { useSearchValues } from '../../parts/location';
import { useSubmit } from '../../parts/use-submit';
import { OpenLayout } from './open-layout';
import { useLeadOn } from './use-lead-on';
import styles from './two-factor.module.css';

/** The second question of a sign-in: a code from the app, or one of the recovery codes. */
export function TwoFactorPage() {
  const { t } = useTranslation();
  const { next } = useSearchValues();
  const leadOn = useLeadOn(next);
  const [recovery, setRecovery] = useState(false);
  const form = useSubmit(async ({ code = '', trust }) => {
    const path = recovery ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp';
    await auth(path, { code: code.replaceAll(' ', ''), trustDevice: trust === 'on' });
    await renewSession();
    await leadOn();
  });
  return (
    <OpenLayout
      title={t('signIn:code.title')}
      text={t(recovery ? 'signIn:code.recoveryText' : 'signIn:code.text')}
      foot={
        <>
          <UnstyledButton className={styles.link} onClick={() => setRecovery(!recovery)}>
            {t(recovery ? 'signIn:code.useApp' : 'signIn:code.useRecovery')}
          </UnstyledButton>
          <Link to="/app/sign-in" search={{}}>
            {t('signIn:back')}
          </Link>
        </>
      }
    >
      <form onSubmit={form.onSubmit} key={String(recovery)}>
        <Alert error={form.error} />
        <TextInput
          name="code"
          label={t(recovery ? 'signIn:code.recovery' : 'signIn:code.label')}
          autoComplete="one-time-code"
          inputMode={recovery ? 'text' : 'numeric'}
          maxLength={recovery ? 40 : 7}
          required
          autoFocus
          withAsterisk={false}
          classNames={{ input: styles.code ?? '' }}
        />
        {recovery ? null : <Checkbox name="trust" label={t('signIn:code.trust')} />}
        <Button type="submit" loading={form.running} h={36} fullWidth>
          {t('signIn:code.submit')}
        </Button>
      </form>
    </OpenLayout>
  );
}
