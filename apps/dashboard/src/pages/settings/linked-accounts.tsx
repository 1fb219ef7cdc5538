import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { auth, methodsQuery } from '../../api/auth';
import { withStepUp } from '../../api/step-up';
import { say, sayError } from '../../parts/say';
import { Row, Rows, Section } from '../../parts/section';
import { ProviderIcon } from '../sign-in/provider-icon';

const queryKey = ['me', 'accounts'];

/** The services with whose account people may sign in here. */
export function LinkedAccounts() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const providers = useQuery(methodsQuery).data?.provider_buttons ?? [];
  const accounts = useQuery({
    queryKey,
    queryFn: () => auth<readonly { providerId: string; accountId: string }[]>('/list-accounts'),
    enabled: providers.length > 0,
  });
  if (providers.length === 0) return null;
  const link = async (provider: string): Promise<void> => {
    const { url } = await withStepUp(() =>
      auth<{ url: string }>('/link-social', { provider, callbackURL: '/app/settings/security' }),
    );
    location.assign(url);
  };
  const unlink = async (providerId: string): Promise<void> => {
    await withStepUp(() => auth('/unlink-account', { providerId }));
    await client.invalidateQueries({ queryKey });
    say(t('settings:saved'));
  };
  return (
    <Section title={t('settings:linked.title')} text={t('settings:linked.text')}>
      <Rows>
        {providers.map(({ id, name, logo }) => {
          const isLinked = accounts.data?.some(({ providerId }) => providerId === id) ?? false;
          return (
            <Row
              key={id}
              icon={<ProviderIcon provider={id} logo={logo} />}
              title={name}
              text={t(isLinked ? 'settings:linked.on' : 'settings:linked.off')}
            >
              <Button variant="default" onClick={() => void (isLinked ? unlink : link)(id).catch(sayError)}>
                {t(isLinked ? 'settings:linked.unlink' : 'settings:linked.link')}
              </Button>
            </Row>
          );
        })}
      </Rows>
    </Section>
  );
}
