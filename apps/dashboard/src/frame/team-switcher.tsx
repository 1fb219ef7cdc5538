import { Menu, UnstyledButton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Check, ChevronsUpDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { credentials } from '../api/credentials';
import { queryClient } from '../api/query-client';
import { sessionQuery, useSession, useTeam, type SessionTeam } from '../api/session';
import styles from './team-switcher.module.css';

export function TeamSwitcher() {
  const { t } = useTranslation();
  const session = useSession();
  const team = useTeam();
  const navigate = useNavigate();
  if (session === null || team === null) return null;

  const choose = (chosen: SessionTeam): void => {
    credentials.team = chosen.id;
    // Everything in memory belongs to the other team.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    void navigate({ to: '/app/emails', search: {} }).then(() => queryClient.invalidateQueries());
  };
  return (
    <Menu width={240} position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={styles.button} aria-label={t('frame:team.switch', { team: team.name })}>
          <TeamMark name={team.name} />
          <span className={`cut ${styles.name}`}>{team.name}</span>
          <ChevronsUpDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('frame:team.teams')}</Menu.Label>
        {session.teams.map((each) => (
          <Menu.Item
            key={each.id}
            leftSection={<TeamMark name={each.name} />}
            rightSection={each.id === team.id ? <Check size={14} aria-hidden /> : null}
            onClick={() => choose(each)}
          >
            {each.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export function TeamMark({ name }: { readonly name: string }) {
  return (
    <span className={styles.mark} aria-hidden>
      {[...name.trim()][0]?.toUpperCase() ?? '·'}
    </span>
  );
}
