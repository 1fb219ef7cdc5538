import { Button, Flex, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { useMay, useSession } from '../../api/session';
import { codeSamples } from '../../logic/code-samples';
import { addressOf } from '../../logic/mail-hosts';
import { Alert } from '../../parts/alert';
import { RequestSamples } from '../../parts/request-samples';
import { newestQuery } from './newest-query';

/** The request in eight languages, and a button for those without a terminal. */
export function SendStep({ token }: { readonly token: string | undefined }) {
  const { t } = useTranslation();
  const session = useSession();
  const maySend = useMay('emails:send');
  const domains = useQuery({
    queryKey: ['domains', 'names'],
    queryFn: () => answer(api.GET('/domains')),
    staleTime: 60_000,
  });
  const [to, setTo] = useState(session?.user.email ?? 'you@example.org');
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const domain = domains.data?.data.find(({ status }) => status === 'verified') ?? domains.data?.data[0];
  const email = {
    from: `Acme <hello@${domain?.name ?? 'example.org'}>`,
    to: addressOf(to),
    subject: t('start:send.subject'),
    html: `<p>${t('start:send.body')}</p>`,
  };
  const request = { method: 'POST', path: '/emails', body: email };
  const send = async (): Promise<void> => {
    setRunning(true);
    setError(undefined);
    try {
      await answer(
        api.POST('/emails', { body: email, params: { header: { 'idempotency-key': crypto.randomUUID() } } }),
      );
      await queryClient.invalidateQueries({ queryKey: newestQuery.queryKey });
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return (
    <Stack gap={14} w="100%">
      <TextInput
        label={t('start:send.to')}
        type="email"
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
        maw={320}
      />
      <RequestSamples samples={codeSamples(request, location.origin, token ?? 're_…')} />
      <Alert error={error} />
      {maySend ? (
        <Flex gap={12} align="center">
          <span className="quiet">{t('start:send.or')}</span>
          <Button
            variant="default"
            leftSection={<Send size={14} aria-hidden />}
            loading={running}
            disabled={domain === undefined}
            onClick={() => void send()}
          >
            {t('start:send.here')}
          </Button>
        </Flex>
      ) : null}
    </Stack>
  );
}
