import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Gauge } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { nameOfProvider } from '../../logic/mail-hosts';
import { Confirm } from '../../parts/confirm';
import { Panel } from '../../parts/panel';
import { say } from '../../parts/say';
import { StatusBadge } from '../../parts/status-badge';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';

type Guard = Schema<'ActiveGuardResponse'>;

/** Whose mail the reputation guard slows. Nothing is shown where it slows none. */
export function Guards() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [lifting, setLifting] = useState<Guard>();
  const guards = useQuery({
    queryKey: ['machine-room', 'guards'],
    queryFn: () => answer(api.GET('/machine-room/guards')),
    refetchInterval: 10_000,
  });
  const rows = guards.data?.data ?? [];
  const providerOf = ({ provider }: Guard): string =>
    provider === 'others' ? t('insights:providers.others') : nameOfProvider(provider);
  if (rows.length === 0) return null;
  return (
    <Panel title={t('insights:guard.title')} text={t('machine-room:guards.text')} flush>
      <Table<Guard>
        label={t('insights:guard.title')}
        rows={rows}
        keyOf={({ domain_id: id, provider }) => `${id} ${provider}`}
        columns={[
          {
            id: 'domain',
            label: t('machine-room:guards.domain'),
            cell: ({ domain, team }) => (
              <>
                {domain} <span className="quiet">{team}</span>
              </>
            ),
          },
          { id: 'provider', label: t('machine-room:guards.provider'), cell: providerOf },
          {
            id: 'step',
            label: t('insights:guard.stepName'),
            cell: ({ step }) => (
              <StatusBadge
                tone={step === 'warned' || step === 'bulk_slowed' ? 'wait' : 'bad'}
                icon={Gauge}
                label={t(`insights:guard.step.${step}`)}
                plain
              />
            ),
          },
          { id: 'since', label: t('machine-room:guards.since'), cell: ({ since }) => <Time at={since} /> },
          {
            id: 'actions',
            label: '',
            align: 'end',
            cell: (guard) => (
              <Button variant="default" h={28} onClick={() => setLifting(guard)}>
                {t('insights:guard.lift')}
              </Button>
            ),
          },
        ]}
      />
      <Confirm
        opened={lifting !== undefined}
        close={() => setLifting(undefined)}
        title={t('insights:guard.liftTitle', { provider: lifting === undefined ? '' : providerOf(lifting) })}
        action={t('insights:guard.lift')}
        run={async () => {
          if (lifting === undefined) return;
          const body = { domain_id: lifting.domain_id, provider: lifting.provider };
          await answer(api.POST('/machine-room/guards/lift', { body }));
          say(t('insights:guard.lifted'));
          await client.invalidateQueries({ queryKey: ['machine-room', 'guards'] });
        }}
      >
        {t('insights:guard.liftText')}
      </Confirm>
    </Panel>
  );
}
