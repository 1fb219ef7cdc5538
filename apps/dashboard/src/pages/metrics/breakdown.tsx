import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import type { MetricSpan } from '../../logic/metric-ranges';
import { Panel } from '../../parts/panel';
import { Table } from '../../parts/table';
import styles from './charts.module.css';
import { colorOf } from './metric-series';

type Row = Schema<'BreakdownRowResponse'>;
const kinds = ['recipient_domain', 'domain', 'tag'] as const;

interface BreakdownProps {
  readonly span: MetricSpan;
  readonly domainId: string | undefined;
}

/** What became of mail, by who receives it, by the sending domain, or by tag. */
export function Breakdown({ span, domainId }: BreakdownProps) {
  const { t, i18n } = useTranslation();
  const [by, setBy] = useState<(typeof kinds)[number]>('recipient_domain');
  const breakdown = useQuery({
    queryKey: ['metrics', 'breakdown', by, span.from, span.to, domainId],
    queryFn: () =>
      answer(
        api.GET('/emails/breakdown', {
          params: {
            query: {
              by,
              created_after: span.from,
              created_before: span.to,
              domain_id: domainId === undefined ? undefined : [domainId],
            },
          },
        }),
      ),
    refetchInterval: 60_000,
  });
  const number = new Intl.NumberFormat(i18n.language);
  const { data } = breakdown;
  return (
    <Panel
      title={t('metrics:breakdown.title')}
      text={data?.is_sample === true ? t('metrics:breakdown.sample', { count: data.examined }) : undefined}
      aside={
        <SegmentedControl
          aria-label={t('metrics:breakdown.by')}
          value={by}
          onChange={(value) => setBy(kinds.find((kind) => kind === value) ?? 'recipient_domain')}
          data={kinds.map((kind) => ({ value: kind, label: t(`metrics:breakdown.${kind}`) }))}
        />
      }
      flush
    >
      {data === undefined ? null : data.data.length === 0 ? (
        <p className="quiet" style={{ padding: 16 }}>
          {t('metrics:breakdown.empty')}
        </p>
      ) : (
        <Table<Row>
          label={t('metrics:breakdown.title')}
          rows={data.data}
          keyOf={({ key }) => key}
          columns={[
            {
              id: 'key',
              label: t(`metrics:breakdown.${by}`),
              cell: ({ key, name }) => (
                <Link
                  to="/app/emails"
                  search={{ ...searchOf(by, key), created_after: span.from, created_before: span.to }}
                >
                  {name ?? key}
                </Link>
              ),
            },
            { id: 'bar', label: '', cell: (row) => <Shares row={row} /> },
            {
              id: 'recipients',
              label: t('metrics:breakdown.recipients'),
              align: 'end',
              cell: ({ recipients }) => number.format(recipients),
            },
            ...(['delivered', 'delayed', 'bounced', 'complained'] as const).map((key) => ({
              id: key,
              label: t(`metrics:breakdown.state.${key}`),
              align: 'end' as const,
              cell: (row: Row) => number.format(row[key]),
            })),
          ]}
        />
      )}
    </Panel>
  );
}

function searchOf(by: (typeof kinds)[number], key: string): Record<string, string> {
  if (by === 'tag') return { tag: key };
  return by === 'domain' ? { domain_id: key } : { recipient: `@${key}` };
}

/** The shares of a row as one line. The numbers beside it say the same. */
function Shares({ row }: { readonly row: Row }) {
  const parts = [
    [row.delivered, colorOf('delivered')],
    [row.delayed, colorOf('delivery_delayed')],
    [row.suppressed, colorOf('suppressed')],
    [row.bounced + row.complained + row.failed, colorOf('bounced')],
  ] as const;
  let left = 0;
  return (
    <span className={styles.bar} aria-hidden>
      {parts.map(([count, color]) => {
        const width = (count / Math.max(1, row.recipients)) * 100;
        const start = left;
        left += width;
        return (
          <span
            key={color}
            className={styles.part}
            style={{ left: `${start}%`, width: `${width}%`, background: color }}
          />
        );
      })}
    </span>
  );
}
