import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { CircleCheck, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { methodsQuery, signInWithPassword, signInWithProvider } from '../../api/auth';
import { ApiError } from '../../api/error';
import { supportsPasskeys, isCanceled, signInWithPasskey } from '../../api/passkeys';
import { safeNext } from '../../logic/safe-next';
import { Alert } from '../../parts/alert';
import { useSearchValues } from '../../parts/location';
import { useSubmit } from '../../parts/use-submit';
import { useLeadOn } from './use-lead-on';
import { OpenLayout } from './open-layout';
import { ProviderIcon } from './provider-icon';
import styles from './sign-in.module.css';

export function SignInPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { next, verified, reset, error } = useSearchValues();
  const methods = useQuery(methodsQuery).data;
  const [failure, setFailure] = useState<unknown>(
    error === undefined ? undefined : new ApiError(400, error, t('signIn:providerFailed')),
  );
  const target = safeNext(next);
  const leadOn = useLeadOn(next);
  const takesPassword = methods?.password !== false;
  const form = useSubmit(async ({ email = '', password = '' }) => {
    setFailure(undefined);
    const needsCode = await signInWithPassword({ email, password });
    if (needsCode) await navigate({ to: '/app/sign-in/two-factor', search: { next } });
    else await leadOn();
  });
  const withPasskey = async (): Promise<void> => {
    try {
      await signInWithPasskey();
      await leadOn();
    } catch (trouble) {
      if (!isCanceled(trouble)) setFailure(trouble);
    }
  };
  return (
    <OpenLayout
      title={t('signIn:title')}
      foot={
        <>
          {takesPassword ? <Link to="/app/forgot-password">{t('signIn:forgot')}</Link> : null}
          {takesPassword && methods?.sign_up === 'open' ? (
            <span>
              {t('signIn:noAccount')} <Link to="/app/sign-up">{t('signIn:signUp')}</Link>
            </span>
          ) : null}
          {methods?.needs_owner === true ? <span>{t('signIn:needsOwner')}</span> : null}
        </>
      }
    >
      {verified === undefined && reset === undefined ? null : (
        <p className={styles.good} role="status">
          <CircleCheck size={16} aria-hidden />
          {t(verified === undefined ? 'signIn:wasReset' : 'signIn:wasVerified')}
        </p>
      )}
      {takesPassword ? (
        <form onSubmit={form.onSubmit}>
          <Alert error={form.error ?? failure} />
          <TextInput
            name="email"
            type="email"
            label={t('signIn:email')}
            autoComplete="username"
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
          <Button type="submit" loading={form.running} h={36} fullWidth>
            {t('signIn:submit')}
          </Button>
        </form>
      ) : (
        <Alert error={failure} />
      )}
      <Stack gap={8} mt={16}>
        {takesPassword ? <span className={styles.or}>{t('signIn:or')}</span> : null}
        {supportsPasskeys() ? (
          <Button
            variant="default"
            h={36}
            fullWidth
            leftSection={<KeyRound size={15} aria-hidden />}
            onClick={() => void withPasskey()}
          >
            {t('signIn:passkey')}
          </Button>
        ) : null}
        {methods?.provider_buttons.map(({ id, name, logo }) => (
          <Button
            key={id}
            variant="default"
            h={36}
            fullWidth
            leftSection={<ProviderIcon provider={id} logo={logo} />}
            onClick={() => void signInWithProvider(id, target).catch(setFailure)}
          >
            {t('signIn:with', { provider: name })}
          </Button>
        ))}
      </Stack>
    </OpenLayout>
  );
}
