import { Button, Select, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import type { Role } from '../../api/session';
import { withStepUp } from '../../api/step-up';
import { Alert } from '../../parts/alert';
import { useSearchValues } from '../../parts/location';
import { say, sayError } from '../../parts/say';
import { Row, Rows, Section } from '../../parts/section';
import { Time } from '../../parts/time';
import { useSubmit } from '../../parts/use-submit';
import styles from './settings.module.css';

const queryKey = ['team', 'invitations'];
const roles: readonly Role[] = ['admin', 'developer', 'viewer'];

export function Invitations({ mayWrite }: { readonly mayWrite: boolean }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { add } = useSearchValues();
  const [role, setRole] = useState<string | null>('developer');
  const invitations = useQuery({
    queryKey,
    queryFn: () => answer(api.GET('/team/invitations', { params: { query: { limit: 100 } } })),
  });
  const invite = useSubmit(async ({ email = '' }, form) => {
    const body = { email, role: (role ?? 'developer') as Role };
    await withStepUp(() => answer(api.POST('/team/invitations', { body })));
    form.reset();
    await client.invalidateQueries({ queryKey });
    say(t('settings:invitations.sent', { email }));
  });
  const withdraw = async (id: string): Promise<void> => {
    await withStepUp(() => answer(api.DELETE('/team/invitations/{id}', { params: { path: { id } } })));
    await client.invalidateQueries({ queryKey });
  };
  const list = invitations.data?.data ?? [];
  if (!mayWrite && list.length === 0) return null;
  return (
    <Section title={t('settings:invitations.title')} text={t('settings:invitations.text')}>
      {mayWrite ? (
        <div>
          <Alert error={invite.error} />
          <form
            aria-label={t('settings:invitations.form')}
            onSubmit={invite.onSubmit}
            style={{ maxWidth: 560, display: 'block' }}
          >
            <div className={styles.invite}>
              <TextInput
                name="email"
                type="email"
                label={t('signIn:email')}
                required
                withAsterisk={false}
                autoFocus={add !== undefined}
              />
              <Select
                label={t('settings:team.role')}
                data={roles.map((value) => ({ value, label: t(`settings:role.${value}`) }))}
                value={role}
                onChange={setRole}
                allowDeselect={false}
              />
              <Button type="submit" h={36} loading={invite.running}>
                {t('settings:invitations.send')}
              </Button>
            </div>
          </form>
        </div>
      ) : null}
      {list.length === 0 ? null : (
        <Rows>
          {list.map(({ id, email, role: invited, expires_at }) => (
            <Row
              key={id}
              icon={<Mail size={17} aria-hidden />}
              title={email}
              text={
                <>
                  {t(`settings:role.${invited}`)} · {t('settings:invitations.until')} <Time at={expires_at} />
                </>
              }
            >
              {mayWrite ? (
                <Button variant="default" onClick={() => void withdraw(id).catch(sayError)}>
                  {t('settings:invitations.withdraw')}
                </Button>
              ) : null}
            </Row>
          ))}
        </Rows>
      )}
    </Section>
  );
}
