import { Flex, SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChartNoAxesColumn } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { useFilters } from '../../list/filters';
import { shortPercent } from '../../logic/axis';
import { Figure, Figures, Panel } from '../../parts/panel';
import { EmptyState, ErrorState } from '../../parts/states';
import { GooglePanel } from './google-panel';
import { GuardPanel } from './guard-panel';
import { ListingsPanel } from './listings-panel';
import { ProviderPanel } from './provider-panel';
import { ScorePanel } from './score-panel';
import { WarmUpPanel } from './warm-up-panel';

const spans = ['7', '30', '90'] as const;

/** What became of the mail of the domain: a score with its parts, and each mailbox provider with its replies. */
export function DomainInsights({ domainId, mayLift }: { readonly domainId: string; readonly mayLift: boolean }) {
  const { t } = useTranslation();
  const [values, change] = useFilters(['days']);
  const days = spans.find((span) => span === values.days) ?? '30';
  const insights = useQuery({
    queryKey: ['domain', domainId, 'insights', days],
    queryFn: () =>
      answer(api.GET('/domains/{id}/insights', { params: { path: { id: domainId }, query: { days: Number(days) } } })),
    refetchInterval: 60_000,
    placeholderData: (known) => known,
  });
  const { data } = insights;
  return (
    <>
      <Flex gap={8} wrap="wrap">
        <SegmentedControl
          aria-label={t('insights:span')}
          value={days}
          onChange={(value) => change({ days: value })}
          data={spans.map((span) => ({ value: span, label: t('insights:days', { count: Number(span) }) }))}
        />
      </Flex>
      <GuardPanel
        domainId={domainId}
        mayLift={mayLift}
        days={Number(days)}
        hasSent={data && data.providers.length > 0}
      />
      <WarmUpPanel domainId={domainId} mayWrite={mayLift} />
      {insights.error !== null && data === undefined ? (
        <ErrorState error={insights.error} retry={() => void insights.refetch()} />
      ) : data === undefined ? (
        <Skeleton height={320} />
      ) : (
        <>
          {data.blocklists === null ? null : <ListingsPanel of={data.blocklists} />}
          {data.provider_reports === null ? null : <GooglePanel of={data.provider_reports.google} />}
          <Shown insights={data} />
        </>
      )}
    </>
  );
}

function Shown({ insights }: { readonly insights: Schema<'DomainInsightsResponse'> }) {
  const { t } = useTranslation();
  const { score, providers } = insights;
  if (score === null) {
    return <EmptyState icon={ChartNoAxesColumn} title={t('insights:empty.title')} text={t('insights:empty.text')} />;
  }
  return (
    <>
      <ScorePanel insights={insights} score={score} />
      <Panel title={t('insights:providers.title')} text={t('insights:providers.text')} flush>
        {providers.map((provider, no) => (
          <ProviderPanel key={provider.provider} of={provider} isOpen={no === 0} />
        ))}
      </Panel>
      <Reports reports={insights.reports} />
    </>
  );
}

function Reports({ reports }: { readonly reports: Schema<'ReportFiguresResponse'> }) {
  const { t, i18n } = useTranslation();
  if (reports.dmarc_messages + reports.tls_sessions === 0) return null;
  const share = (count: number, of: number): string =>
    of === 0 ? '–' : shortPercent((count / of) * 100, i18n.language, 1);
  return (
    <Panel title={t('insights:reports.title')} text={t('insights:reports.text')}>
      <Figures>
        <Figure
          label={t('insights:reports.dmarc')}
          value={share(reports.dmarc_passed, reports.dmarc_messages)}
          note={t('insights:reports.messages', { count: reports.dmarc_messages })}
          tone={reports.dmarc_passed === reports.dmarc_messages ? 'good' : undefined}
        />
        <Figure
          label={t('insights:reports.tlsFailed')}
          value={share(reports.tls_failed, reports.tls_sessions)}
          note={t('insights:reports.sessions', { count: reports.tls_sessions })}
          tone={reports.tls_failed > 0 ? 'bad' : undefined}
        />
      </Figures>
    </Panel>
  );
}
