import { Flex } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../api/client';
import { bytesText } from '../../logic/bytes';
import { Panel } from '../../parts/panel';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import styles from './machine-room.module.css';

type Worker = Schema<'WorkerResponse'>;

export function Workers({ workers }: { readonly workers: readonly Worker[] }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 });
  return (
    <Panel title={t('machine-room:workers.title')} flush>
      {workers.length === 0 ? (
        <p className="quiet" style={{ padding: 16 }}>
          {t('machine-room:workers.empty')}
        </p>
      ) : (
        <Table<Worker>
          label={t('machine-room:workers.title')}
          rows={workers}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'host',
              label: t('machine-room:workers.process'),
              cell: ({ host, pid, region, heartbeat_at: at }) => (
                <Flex component="span" direction="column" miw={160}>
                  <span className="cut">
                    {host === null ? '–' : `${host}:${pid ?? ''}`}
                    {region === null ? null : ` · ${region}`}
                  </span>
                  <span className="quiet">
                    <Time at={at} />
                  </span>
                </Flex>
              ),
            },
            {
              id: 'cpu',
              label: t('machine-room:workers.cpu'),
              cell: ({ cpu }) => (
                <Flex component="span" gap={8} align="center">
                  <span className={styles.track} aria-hidden>
                    <span className={styles.fill} style={{ width: `${Math.min(100, cpu * 100)}%` }} />
                  </span>
                  <span className="tabular">{percent.format(cpu)}</span>
                </Flex>
              ),
            },
            {
              id: 'memory',
              label: t('machine-room:workers.memory'),
              align: 'end',
              cell: ({ memory_bytes: bytes }) => bytesText(bytes, i18n.language),
            },
            {
              id: 'lanes',
              label: t('machine-room:workers.lanes'),
              align: 'end',
              cell: ({ lanes }) => number.format(lanes),
            },
            {
              id: 'held',
              label: t('machine-room:workers.held'),
              align: 'end',
              cell: ({ under_way: held }) => number.format(held),
            },
          ]}
        />
      )}
    </Panel>
  );
}
