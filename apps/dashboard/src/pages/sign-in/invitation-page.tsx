import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { renewSession, signInWithPassword } from '../../api/auth';
import { answer, api } from '../../api/client';
import { credentials } from '../../api/credentials';
import { sessionQuery } from '../../api/session';
import { Alert } from '../../parts/alert';
import { useSubmit } from '../../parts/use-submit';
import { takenFragment } from './fragment';
import { OpenLayout } from './open-layout';
import { PersonFields } from './person-fields';

const storageKey = 'postrider.invitation';

/** Where the link of an invitation leads. Somebody with an account signs in first and comes back. */
export function InvitationPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [token] = useState(() => takenFragment() || (sessionStorage.getItem(storageKey) ?? ''));
  const session = useQuery(sessionQuery);
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => answer(api.POST('/invitations/show', { body: { token } })),
    enabled: token !== '',
    retry: false,
  });
  const join = async (teamId: string): Promise<void> => {
    sessionStorage.removeItem(storageKey);
    credentials.team = teamId;
    await renewSession();
    await navigate({ to: '/app/emails', replace: true });
  };
  const create = useSubmit(async ({ name = '', password = '' }) => {
    const { id } = await answer(api.POST('/invitations/accept', { body: { token, name, password } }));
    await signInWithPassword({ email: invitation.data?.email ?? '', password });
    await join(id);
  });
  const accept = useSubmit(async () => {
    const { id } = await answer(api.POST('/invitations/accept', { body: { token } as never }));
    await join(id);
  });
  if (token === '' || invitation.error !== null) {
    return <OpenLayout title={t('signIn:expired.title')} text={t('signIn:invitation.expired')} />;
  }
  if (invitation.data === undefined || session.isPending) return <OpenLayout title={t('signIn:invitation.loading')} />;
  const { team_name: team, role, email, has_account: hasAccount } = invitation.data;
  const title = t('signIn:invitation.title', { team });
  const text = t('signIn:invitation.text', { role: t(`common:role.${role}`) });
  if (session.data !== null && session.data !== undefined) {
    return (
      <OpenLayout title={title} text={text}>
        <form onSubmit={accept.onSubmit}>
          <Alert error={accept.error} />
          <Button type="submit" loading={accept.running} h={36} fullWidth>
            {t('signIn:invitation.accept')}
          </Button>
        </form>
      </OpenLayout>
    );
  }
  if (hasAccount) {
    return (
      <OpenLayout title={title} text={t('signIn:invitation.signInFirst', { email })}>
        <form>
          <Button
            component={Link}
            to="/app/sign-in"
            search={{ next: '/app/invitation' } as never}
            h={36}
            fullWidth
            onClick={() => sessionStorage.setItem(storageKey, token)}
          >
            {t('signIn:submit')}
          </Button>
        </form>
      </OpenLayout>
    );
  }
  return (
    <OpenLayout title={title} text={text}>
      <form onSubmit={create.onSubmit}>
        <Alert error={create.error} />
        <PersonFields email={email} />
        <Button type="submit" loading={create.running} h={36} fullWidth>
          {t('signIn:invitation.create')}
        </Button>
      </form>
    </OpenLayout>
  );
}
