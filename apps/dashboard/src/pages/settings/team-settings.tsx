import { Button, Select, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { membersQuery } from '../../api/members-query';
import { answer, api, type Schema } from '../../api/client';
import { sessionQuery, useMay, useSession, useTeam, type Role } from '../../api/session';
import { withStepUp } from '../../api/step-up';
import { Alert } from '../../parts/alert';
import { Confirm } from '../../parts/confirm';
import { useTitle } from '../../parts/page';
import { say, sayError } from '../../parts/say';
import { Row, Rows, Section } from '../../parts/section';
import { SenderField, sendersQuery } from '../../parts/sender-field';
import { ErrorState } from '../../parts/states';
import { useSubmit } from '../../parts/use-submit';
import { Invitations } from './invitations';
import styles from './settings.module.css';

type Member = Schema<'MemberResponse'>;

const roles: readonly Role[] = ['admin', 'developer', 'viewer'];

export function TeamSettings() {
  const { t } = useTranslation();
  const mayWrite = useMay('team:write');
  useTitle(t('settings:team.title'));
  return (
    <div className={styles.column}>
      {mayWrite ? <TeamName /> : null}
      {mayWrite ? <DefaultSender /> : null}
      <Members mayWrite={mayWrite} />
      <Invitations mayWrite={mayWrite} />
    </div>
  );
}

function TeamName() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const team = useTeam();
  const form = useSubmit(async ({ name = '' }) => {
    await answer(api.PATCH('/team', { body: { name } }));
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    say(t('settings:saved'));
  });
  return (
    <Section title={t('settings:team.name')}>
      <form onSubmit={form.onSubmit} key={team?.id}>
        <Alert error={form.error} />
        <TextInput name="name" aria-label={t('settings:team.name')} defaultValue={team?.name} required maxLength={64} />
        <Button type="submit" variant="default" loading={form.running}>
          {t('common:save')}
        </Button>
      </form>
    </Section>
  );
}

/** With which sender the forms begin. */
function DefaultSender() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const known = useQuery(sendersQuery).data?.defaultFrom;
  const [typed, setTyped] = useState<string>();
  const from = typed ?? known ?? '';
  const form = useSubmit(async () => {
    await answer(api.PATCH('/team', { body: { default_from: from.trim() } }));
    await client.invalidateQueries({ queryKey: sendersQuery.queryKey });
    setTyped(undefined);
    say(t('settings:saved'));
  });
  return (
    <Section title={t('settings:team.sender')} text={t('settings:team.senderText')}>
      <form onSubmit={form.onSubmit}>
        <Alert error={form.error} />
        <SenderField
          label={t('settings:team.sender')}
          placeholder="Acme <hello@acme.com>"
          value={from}
          change={setTyped}
        />
        <Button type="submit" variant="default" loading={form.running} disabled={from === (known ?? '')}>
          {t('common:save')}
        </Button>
      </form>
    </Section>
  );
}

type Question = { readonly kind: 'remove' | 'transfer'; readonly member: Member };

function Members({ mayWrite }: { readonly mayWrite: boolean }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const me = useSession()?.user.id;
  const isOwner = useTeam()?.role === 'owner';
  const members = useQuery(membersQuery);
  const [question, setQuestion] = useState<Question>();
  const renew = (): Promise<unknown> =>
    Promise.all([
      client.invalidateQueries({ queryKey: membersQuery.queryKey }),
      client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    ]);
  const changeRole = async (id: string, role: string | null): Promise<void> => {
    if (role === null) return;
    const body = { role: role as Role };
    await withStepUp(() => answer(api.PATCH('/team/members/{id}', { params: { path: { id } }, body })));
    await renew();
    say(t('settings:saved'));
  };
  const run = async (): Promise<void> => {
    if (question === undefined) return;
    const { id } = question.member;
    if (question.kind === 'remove') {
      await withStepUp(() => answer(api.DELETE('/team/members/{id}', { params: { path: { id } } })));
    } else {
      await withStepUp(() => answer(api.POST('/team/transfer', { body: { user_id: id } })));
    }
    await renew();
  };
  if (members.error !== null && members.data === undefined)
    return <ErrorState error={members.error} retry={() => void members.refetch()} />;
  return (
    <Section title={t('settings:team.members')} text={t('settings:team.membersText')}>
      <Rows>
        {members.data?.map((member) => (
          <Row
            key={member.id}
            title={`${member.name}${member.id === me ? ` ${t('settings:team.you')}` : ''}`}
            text={member.email}
          >
            {mayWrite && member.role !== 'owner' ? (
              <Select
                aria-label={t('settings:team.roleOf', { name: member.name })}
                w={140}
                data={roles.map((role) => ({ value: role, label: t(`settings:role.${role}`) }))}
                value={member.role}
                allowDeselect={false}
                onChange={(role) => void changeRole(member.id, role).catch(sayError)}
              />
            ) : (
              <span className="quiet">{t(`settings:role.${member.role}`)}</span>
            )}
            {isOwner && member.id !== me ? (
              <Button variant="subtle" color="gray" onClick={() => setQuestion({ kind: 'transfer', member })}>
                {t('settings:team.transfer')}
              </Button>
            ) : null}
            {(mayWrite || member.id === me) && member.role !== 'owner' ? (
              <Button variant="light" color="red" onClick={() => setQuestion({ kind: 'remove', member })}>
                {t(member.id === me ? 'settings:team.leave' : 'settings:team.remove')}
              </Button>
            ) : null}
          </Row>
        ))}
      </Rows>
      <Confirm
        opened={question !== undefined}
        close={() => setQuestion(undefined)}
        title={t(`settings:team.${question?.kind ?? 'remove'}Title`, { name: question?.member.name })}
        action={t(`settings:team.${question?.kind ?? 'remove'}`)}
        dangerous
        typed={question?.kind === 'transfer' ? question.member.email : undefined}
        run={run}
      >
        <p>{t(`settings:team.${question?.kind ?? 'remove'}Text`)}</p>
      </Confirm>
    </Section>
  );
}
