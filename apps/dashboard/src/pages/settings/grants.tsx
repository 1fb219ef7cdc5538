import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plug } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay, useSession } from '../../api/session';
import { withStepUp } from '../../api/step-up';
import { say, sayError } from '../../parts/say';
import { Row, Rows, Section } from '../../parts/section';
import { Time } from '../../parts/time';

const queryKey = ['oauth', 'grants'];

/** Tools that act for the team, and how to end that. */
export function Grants() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const grants = useQuery({ queryKey, queryFn: () => answer(api.GET('/oauth/grants')) });
  const [me, mayRevokeAll] = [useSession()?.user.id, useMay('team:write')];
  const list = grants.data?.data.filter(({ revoked_at }) => revoked_at === null) ?? [];
  if (list.length === 0) return null;
  const revoke = async (id: string, name: string): Promise<void> => {
    await withStepUp(() => answer(api.DELETE('/oauth/grants/{id}', { params: { path: { id } } })));
    await client.invalidateQueries({ queryKey });
    say(t('settings:grants.revoked', { name }));
  };
  return (
    <Section title={t('settings:grants.title')} text={t('settings:grants.text')}>
      <Rows>
        {list.map(({ id, user_id, client: tool, scopes, created_at }) => (
          <Row
            key={id}
            icon={<Plug size={17} aria-hidden />}
            title={tool.name}
            text={
              <>
                {scopes.join(', ')} · {t('settings:grants.since')} <Time at={created_at} />
              </>
            }
          >
            {mayRevokeAll || user_id === me ? (
              <Button variant="default" onClick={() => void revoke(id, tool.name).catch(sayError)}>
                {t('settings:grants.revoke')}
              </Button>
            ) : null}
          </Row>
        ))}
      </Rows>
    </Section>
  );
}
