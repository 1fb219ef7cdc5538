import { SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import type { FilterValues } from '../../list/filters';
import { metricRanges, type MetricSpan } from '../../logic/metric-ranges';
import section from '../../parts/layout.module.css';
import styles from './charts.module.css';
import { SpanPicker } from './span-picker';

/** Browsers leave out UTC. */
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')];

interface MetricsToolsProps {
  readonly values: FilterValues;
  readonly change: (changes: FilterValues) => void;
  readonly rangeId: string;
  readonly chosen: MetricSpan | undefined;
  readonly span: MetricSpan;
  readonly timeZone: string;
  readonly choose: (from: string | undefined, to: string | undefined) => void;
}

/** What the charts are about: the time, the domain, and the zone in which days begin. */
export function MetricsTools({ values, change, rangeId, chosen, span, timeZone, choose }: MetricsToolsProps) {
  const { t } = useTranslation();
  const domains = useQuery({
    queryKey: ['domains', 'names'],
    queryFn: () => answer(api.GET('/domains', { params: { query: {} } })),
  });
  return (
    <div className={section.row}>
      <SegmentedControl
        aria-label={t('metrics:range.label')}
        value={chosen === undefined ? rangeId : ''}
        onChange={(id) => change({ range: id, from: undefined, to: undefined })}
        data={metricRanges.map(({ id }) => ({ value: id, label: t(`metrics:range.${id}`) }))}
      />
      <SpanPicker chosen={chosen} shown={span} timeZone={timeZone} choose={choose} />
      <Select
        aria-label={t('metrics:domain')}
        placeholder={t('metrics:allDomains')}
        data={(domains.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={values.domain ?? null}
        onChange={(id) => change({ domain: id ?? undefined })}
        clearable
        clearButtonProps={{ 'aria-label': t('metrics:allDomains') }}
        className={styles.choice}
      />
      <Select
        aria-label={t('metrics:zone')}
        data={[...new Set([...zones, timeZone])]}
        value={timeZone}
        onChange={(zone) => change({ zone: zone ?? undefined })}
        searchable
        limit={60}
        className={styles.choice}
      />
    </div>
  );
}
