import { ActionIcon, Menu, SegmentedControl, Skeleton, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChartColumn, Download, Table2 } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useFilters } from '../../list/filters';
import { shortPercent } from '../../logic/axis';
import { csvLine } from '../../logic/csv';
import { boundsOfPeriod, chosenSpan, periodLabel, rangeOf, spanOfRange, tickLabel } from '../../logic/metric-ranges';
import { download } from '../../parts/download';
import { Page } from '../../parts/page';
import { Figure, Figures, Panel, Stack } from '../../parts/panel';
import { sayError } from '../../parts/say';
import { EmptyState, ErrorState } from '../../parts/states';
import { Table } from '../../parts/table';
import { localeOf } from '../../words/words';
import { Breakdown } from './breakdown';
import { shownStates, rates, type MetricRow } from './metric-series';
import { MetricsTools } from './metrics-tools';
import { useFirstRange } from './use-first-range';

const OutcomeChart = lazy(async () => ({ default: (await import('./outcome-chart')).OutcomeChart }));
const RateChart = lazy(async () => ({ default: (await import('./rate-chart')).RateChart }));
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function MetricsPage() {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const [values, change] = useFilters(['range', 'domain', 'zone', 'from', 'to']);
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const picture = useRef<HTMLDivElement>(null);
  const timezone = values.zone ?? ownZone;
  const chosen = chosenSpan(values.from, values.to);
  const isChosen = values.range !== undefined || chosen !== undefined;
  const first = useFirstRange(isChosen, timezone);
  const range = values.range === undefined && first !== undefined ? first : rangeOf(values.range);
  const span = chosen ?? spanOfRange(range, Date.now(), timezone);
  const { granularity } = span;
  const metrics = useQuery({
    queryKey: ['metrics', span.from, span.to, granularity, values.domain, timezone],
    queryFn: () =>
      answer(
        api.GET('/emails/metrics', {
          params: {
            query: {
              start_date: span.from,
              end_date: span.to,
              timezone,
              granularity,
              dimensions: ['period'],
              domain_id: values.domain === undefined ? undefined : [values.domain],
            },
          },
        }),
      ),
    enabled: isChosen || first !== undefined,
    refetchInterval: 30_000,
    placeholderData: (known) => known,
  });
  const number = new Intl.NumberFormat(i18n.language);
  const percent = (value: number | undefined): string => shortPercent(value ?? 0, i18n.language);
  const locale = localeOf(i18n.language);
  const totals = (metrics.data?.totals ?? {}) as Record<string, number>;
  const rows: readonly MetricRow[] = (metrics.data?.data ?? []).map((row) => ({
    ...(row as Record<string, number>),
    period: row.period ?? '',
    label: periodLabel(row.period ?? '', granularity, locale, timezone),
    tick: tickLabel(row.period ?? '', granularity, locale, timezone),
  }));
  const isEmpty = metrics.data !== undefined && (totals.sent ?? 0) === 0;
  const openMails = (period: string, statuses?: readonly string[]): void => {
    const { from, to } = boundsOfPeriod(period, granularity, timezone);
    void navigate({
      to: '/app/emails',
      search: {
        created_after: from,
        created_before: to,
        status: statuses?.join(','),
        domain_id: values.domain,
      },
    });
  };
  // In the history, so that the browser's own way back works too.
  const choose = (from: string | undefined, to: string | undefined): void =>
    void navigate({ to: '.', search: (known: object) => ({ ...known, from, to }) });
  const chooseRows = (first: number, last: number): void => {
    const bounds = [rows[first], rows[last]].map((row) => boundsOfPeriod(row?.period ?? '', granularity, timezone));
    choose(bounds[0]?.from, bounds[1]?.to);
  };
  const exportCsv = (): void => {
    const names = metrics.data?.metrics ?? [];
    const lines = rows.map((row) => csvLine([row.period, ...names.map((name) => String(row[name] ?? ''))]));
    download(['\ufeff', csvLine(['period', ...names]), ...lines].join(''), 'metrics.csv', 'text/csv;charset=utf-8');
  };
  const exportPng = (): void => {
    const svg = picture.current?.querySelector('svg.recharts-surface');
    if (svg instanceof SVGSVGElement) {
      void import('./chart-png')
        .then(({ chartPng }) => chartPng(svg))
        .then((png) => download(png, 'metrics.png', 'image/png'), sayError);
    }
  };
  return (
    <Page
      title={t('metrics:title')}
      scroll
      actions={
        <>
          <SegmentedControl
            aria-label={t('metrics:view')}
            value={view}
            onChange={(value) => setView(value === 'table' ? 'table' : 'chart')}
            data={[
              { value: 'chart', label: <ViewIcon icon={ChartColumn} label={t('metrics:chart')} /> },
              { value: 'table', label: <ViewIcon icon={Table2} label={t('metrics:table')} /> },
            ]}
          />
          <Menu position="bottom-end">
            <Menu.Target>
              <Tooltip label={t('metrics:export')}>
                <ActionIcon aria-label={t('metrics:export')} size={32}>
                  <Download size={16} aria-hidden />
                </ActionIcon>
              </Tooltip>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={exportCsv}>CSV</Menu.Item>
              <Menu.Item onClick={exportPng} disabled={view === 'table'}>
                PNG
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </>
      }
    >
      <Stack wide>
        <MetricsTools
          values={values}
          change={change}
          rangeId={range.id}
          chosen={chosen}
          span={span}
          timeZone={timezone}
          choose={choose}
        />
        {metrics.error !== null ? (
          <ErrorState error={metrics.error} retry={() => void metrics.refetch()} />
        ) : metrics.data === undefined ? (
          <Skeleton height={420} />
        ) : isEmpty ? (
          <EmptyState icon={ChartColumn} title={t('metrics:empty.title')} text={t('metrics:empty.text')} />
        ) : (
          <>
            <Figures>
              <Figure label={t('metrics:metric.sent')} value={number.format(totals.sent ?? 0)} />
              <Figure
                label={t('metrics:metric.delivered')}
                value={percent(totals.delivery_rate)}
                note={number.format(totals.delivered ?? 0)}
              />
              {rates.map(({ key, count, thresholds }) => (
                <Figure
                  key={key}
                  label={t(`metrics:metric.${count}`)}
                  value={percent(totals[key])}
                  note={number.format(totals[count] ?? 0)}
                  tone={(totals[key] ?? 0) > (thresholds.at(-1)?.value ?? Infinity) ? 'bad' : undefined}
                />
              ))}
              <Figure
                label={t('metrics:metric.opened')}
                value={percent(totals.open_rate)}
                note={number.format(totals.unique_opened ?? 0)}
              />
              <Figure
                label={t('metrics:metric.clicked')}
                value={percent(totals.click_rate)}
                note={number.format(totals.unique_clicked ?? 0)}
              />
            </Figures>
            {view === 'table' ? (
              <Panel title={t('metrics:outcomes')} flush>
                <Table<MetricRow>
                  label={t('metrics:outcomes')}
                  rows={rows}
                  keyOf={({ period }) => period}
                  columns={[
                    {
                      id: 'period',
                      label: t('metrics:period'),
                      cell: ({ label }) => <span className="cut">{label}</span>,
                    },
                    ...['sent', ...shownStates.map(({ key }) => key)].map((key) => ({
                      id: key,
                      label: t(`metrics:metric.${key}`),
                      align: 'end' as const,
                      cell: (row: MetricRow) => number.format(Number(row[key] ?? 0)),
                    })),
                  ]}
                />
              </Panel>
            ) : (
              <Suspense fallback={<Skeleton height={360} />}>
                <Panel title={t('metrics:outcomes')} text={t('metrics:outcomesText')}>
                  <div ref={picture}>
                    <OutcomeChart rows={rows} open={openMails} choose={chooseRows} />
                  </div>
                </Panel>
                {rates.map((rate) => (
                  <Panel key={rate.key} title={t(`metrics:rate.${rate.key}`)} text={t(`metrics:rateText.${rate.key}`)}>
                    <RateChart
                      rows={rows}
                      rate={rate}
                      open={(period) => openMails(period, [rate.count])}
                      choose={chooseRows}
                    />
                  </Panel>
                ))}
              </Suspense>
            )}
            <Breakdown span={span} domainId={values.domain} />
          </>
        )}
      </Stack>
    </Page>
  );
}

function ViewIcon({ icon: Icon, label }: { readonly icon: typeof Table2; readonly label: string }) {
  return (
    <>
      <Icon size={15} aria-hidden style={{ display: 'block' }} />
      <span className="visually-hidden">{label}</span>
    </>
  );
}
