import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { auth } from '../../api/auth';
import { sessionQuery, useSession } from '../../api/session';
import { withStepUp } from '../../api/step-up';
import { Alert } from '../../parts/alert';
import { useTitle } from '../../parts/page';
import { say } from '../../parts/say';
import { Section } from '../../parts/section';
import { useSubmit } from '../../parts/use-submit';
import styles from './settings.module.css';

export function ProfileSettings() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const session = useSession();
  useTitle(t('settings:profile.title'));
  const name = useSubmit(async (values) => {
    await auth('/update-user', { name: values.name?.trim() });
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    say(t('settings:saved'));
  });
  const email = useSubmit(async (values) => {
    await withStepUp(() => auth('/change-email', { newEmail: values.email, callbackURL: '/app/settings/profile' }));
    say(t('settings:profile.mailed'));
  });
  if (session === null) return null;
  const { user } = session;
  return (
    <div className={styles.column}>
      <Section title={t('settings:profile.name')} text={t('settings:profile.nameText')}>
        <form onSubmit={name.onSubmit}>
          <Alert error={name.error} />
          <TextInput
            name="name"
            aria-label={t('settings:profile.name')}
            defaultValue={user.name}
            required
            maxLength={64}
            autoComplete="name"
          />
          <Button type="submit" variant="default" loading={name.running}>
            {t('common:save')}
          </Button>
        </form>
      </Section>
      <Section title={t('settings:profile.email')} text={t('settings:profile.emailText')}>
        <form onSubmit={email.onSubmit}>
          <Alert error={email.error} />
          <TextInput
            name="email"
            type="email"
            aria-label={t('settings:profile.email')}
            defaultValue={user.email}
            required
            autoComplete="email"
          />
          <Button type="submit" variant="default" loading={email.running}>
            {t('settings:profile.change')}
          </Button>
        </form>
      </Section>
    </div>
  );
}
