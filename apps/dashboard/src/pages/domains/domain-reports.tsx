import { Flex, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { CopyButton } from '../../parts/copy-button';
import { Figure, Figures, Panel } from '../../parts/panel';
import { StatusBadge, type Tone } from '../../parts/status-badge';
import { Table } from '../../parts/table';
import styles from './domain-records.module.css';

type Source = Schema<'DmarcSourceResponse'>;
type TlsResult = Schema<'TlsResultResponse'>;

const tones: Readonly<Record<Source['kind'], Tone>> = {
  ours: 'good',
  aligned: 'good',
  forwarder: 'flat',
  misaligned: 'wait',
  unknown: 'bad',
};

/** What mailbox providers report: who sends as this domain, and whether its mail hosts were reached over TLS. */
export function DomainReports({ domainId }: { readonly domainId: string }) {
  const { t } = useTranslation();
  const params = { params: { path: { id: domainId } } };
  const dmarc = useQuery({
    queryKey: ['domain', domainId, 'dmarc'],
    queryFn: () => answer(api.GET('/domains/{id}/dmarc', params)),
  });
  const tls = useQuery({
    queryKey: ['domain', domainId, 'tls-reports'],
    queryFn: () => answer(api.GET('/domains/{id}/tls-reports', params)),
  });
  return (
    <>
      {dmarc.data === undefined ? null : (
        <Panel title={t('domains:dmarc.title')} text={t('domains:dmarc.text')} flush={dmarc.data.data.length > 0}>
          {dmarc.data.data.length === 0 ? <Wanted record={dmarc.data.record} /> : <Dmarc report={dmarc.data} />}
        </Panel>
      )}
      {tls.data === undefined ? null : (
        <Panel title={t('domains:tlsReports.title')} text={t('domains:tlsReports.text')}>
          {tls.data.totals.reporters === 0 ? <Wanted record={tls.data.record} /> : <Tls report={tls.data} />}
        </Panel>
      )}
    </>
  );
}

/** Nothing was reported yet: the record that asks for reports. */
function Wanted({ record }: { readonly record: Schema<'ReportRecordResponse'> }) {
  const { t } = useTranslation();
  return (
    <div className={styles.wanted}>
      <p className="quiet">{t('domains:reports.none')}</p>
      <p>
        <code>{record.name}</code> <span className="quiet">{record.type}</span>
      </p>
      <p className={styles.wantedValue}>
        <code>{record.value}</code>
        <CopyButton value={record.value} label={t('domains:reports.copy')} />
      </p>
    </div>
  );
}

function Dmarc({ report }: { readonly report: Schema<'DmarcResponse'> }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const { totals, advice, policy } = report;
  return (
    <>
      <Stack gap={12} p={16}>
        <Figures>
          <Figure label={t('domains:dmarc.messages')} value={number.format(totals.messages)} />
          <Figure
            label={t('domains:dmarc.aligned')}
            value={number.format(totals.aligned)}
            tone={totals.aligned === totals.messages ? 'good' : undefined}
          />
          <Figure label={t('domains:dmarc.sources')} value={number.format(totals.sources)} />
          <Figure label={t('domains:dmarc.policy')} value={policy?.p ?? '–'} />
        </Figures>
        {advice.map(({ policy: wanted, safe, reason }) => (
          <Flex key={wanted} gap={10} align="baseline">
            <StatusBadge
              tone={safe ? 'good' : 'wait'}
              icon={safe ? CircleCheck : TriangleAlert}
              label={t(safe ? 'domains:dmarc.safe' : 'domains:dmarc.notYet', { policy: `p=${wanted}` })}
            />
            <span>{reason}</span>
          </Flex>
        ))}
      </Stack>
      <Table<Source>
        label={t('domains:dmarc.title')}
        rows={report.data}
        keyOf={({ id }) => id}
        columns={[
          { id: 'source', label: t('domains:dmarc.source'), cell: ({ id }) => <code>{id}</code> },
          {
            id: 'kind',
            label: t('domains:dmarc.kind'),
            cell: ({ kind }) => (
              <StatusBadge
                tone={tones[kind]}
                icon={tones[kind] === 'good' ? CircleCheck : TriangleAlert}
                label={t(`domains:dmarc.kinds.${kind}`)}
                plain
              />
            ),
          },
          {
            id: 'messages',
            label: t('domains:dmarc.messages'),
            align: 'end',
            cell: ({ messages }) => number.format(messages),
          },
          { id: 'failed', label: t('domains:dmarc.failed'), align: 'end', cell: ({ failed }) => number.format(failed) },
        ]}
      />
    </>
  );
}

function Tls({ report }: { readonly report: Schema<'TlsReportsResponse'> }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const { succeeded, failed, reporters } = report.totals;
  return (
    <div className={styles.tls}>
      <Figures>
        <Figure label={t('domains:tlsReports.succeeded')} value={number.format(succeeded)} />
        <Figure
          label={t('domains:tlsReports.failed')}
          value={number.format(failed)}
          tone={failed > 0 ? 'bad' : undefined}
        />
        <Figure label={t('domains:tlsReports.reporters')} value={number.format(reporters)} />
      </Figures>
      {report.data.length === 0 ? null : (
        <Table<TlsResult>
          label={t('domains:tlsReports.title')}
          rows={report.data}
          keyOf={({ id }) => id}
          columns={[
            { id: 'host', label: t('domains:tlsReports.host'), cell: ({ mx }) => <code>{mx ?? '–'}</code> },
            {
              id: 'result',
              label: t('domains:tlsReports.result'),
              cell: ({ result, advice }) => (
                <>
                  <code>{result}</code>
                  <div className="quiet">{advice}</div>
                </>
              ),
            },
            {
              id: 'sessions',
              label: t('domains:tlsReports.sessions'),
              align: 'end',
              cell: ({ sessions }) => number.format(sessions),
            },
          ]}
        />
      )}
    </div>
  );
}
