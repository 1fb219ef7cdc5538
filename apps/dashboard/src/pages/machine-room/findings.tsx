import { Button, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, RefreshCw, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { Panel } from '../../parts/panel';
import { sayError } from '../../parts/say';
import { StatusBadge } from '../../parts/status-badge';
import { Time } from '../../parts/time';
import styles from './machine-room.module.css';

const looks = {
  green: ['good', CircleCheck],
  yellow: ['wait', TriangleAlert],
  red: ['bad', CircleX],
} as const;
const order = ['red', 'yellow', 'green'];

/** The doctor's findings, the worst first, each with what to do. */
export function Findings() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [running, setRunning] = useState(false);
  const key = ['machine-room', 'diagnosis'];
  const diagnosis = useQuery({
    queryKey: key,
    queryFn: () => answer(api.GET('/machine-room/diagnosis', { params: { query: {} } })),
    refetchInterval: 60_000,
  });
  const again = async (): Promise<void> => {
    setRunning(true);
    try {
      client.setQueryData(
        key,
        await answer(api.GET('/machine-room/diagnosis', { params: { query: { fresh: true } } })),
      );
    } catch (error) {
      sayError(error);
    } finally {
      setRunning(false);
    }
  };
  const findings = (diagnosis.data?.checks ?? [])
    .flatMap(({ check, findings: found }) => found.map((finding) => ({ check, ...finding })))
    .sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
  return (
    <Panel
      title={t('machine-room:findings.title')}
      text={
        diagnosis.data === undefined ? undefined : (
          <>
            {t('machine-room:findings.checked')} <Time at={diagnosis.data.at} />
          </>
        )
      }
      aside={
        <Button
          variant="default"
          leftSection={<RefreshCw size={14} aria-hidden />}
          loading={running}
          onClick={() => void again()}
        >
          {t('machine-room:findings.again')}
        </Button>
      }
      flush
    >
      {diagnosis.data === undefined ? (
        <div style={{ padding: 16 }}>
          <Skeleton height={120} />
        </div>
      ) : (
        <ul>
          {findings.map(({ check, level, subject, text, fix }) => {
            const [tone, icon] = looks[level];
            return (
              <li key={`${check} ${subject ?? ''} ${text}`} className={styles.finding}>
                <StatusBadge tone={tone} icon={icon} label={t(`machine-room:findings.${level}`)} plain />
                <span>
                  <strong>{check}</strong> {subject} {text}
                </span>
                {fix === null ? null : <span className="quiet">{fix}</span>}
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
