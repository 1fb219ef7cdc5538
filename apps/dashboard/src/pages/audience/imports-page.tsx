import { Button, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX, Clock, Download, Loader, Upload } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { ShortList } from '../../list/short-list';
import { usePages } from '../../list/use-pages';
import { shortPercent } from '../../logic/axis';
import section from '../../parts/layout.module.css';
import { StatusBadge } from '../../parts/status-badge';
import { Time } from '../../parts/time';
import { Row } from '../../parts/section';
import { useAdding } from '../../parts/use-adding';
import { AudiencePage } from './audience-page';
import type { Import } from './audience-queries';
import styles from './audience.module.css';
import { ImportForm } from './import-form';

/** While an import runs, it is read again this often. */
const lookAgainMs = 1_500;

const looks = {
  queued: ['info', Clock],
  in_progress: ['wait', Loader],
  completed: ['good', CircleCheck],
  failed: ['bad', CircleX],
} as const;

export function ImportsPage() {
  const { t } = useTranslation();
  const adding = useAdding('audience:write', t('audience:imports.button'), Upload);
  const rows = usePages<Import>(['imports'], ({ limit, after, signal }) =>
    answer(api.GET('/contacts/imports', { params: { query: { limit, after } }, signal })),
  );
  const isRunning = rows.rows.some(({ status }) => status === 'queued' || status === 'in_progress');
  useQuery({
    queryKey: ['imports', 'again'],
    queryFn: async () => {
      const { data } = await rows.readPage({ limit: 20, after: undefined });
      for (const one of data) rows.patch(one.id, () => one);
      return true;
    },
    refetchInterval: lookAgainMs,
    enabled: isRunning,
  });
  return (
    <AudiencePage actions={adding.button}>
      <ShortList
        rows={rows}
        icon={Upload}
        empty={t('audience:imports.empty')}
        emptyText={t('audience:imports.emptyText')}
        add={adding.button}
        row={(one) => <ImportRow key={one.id} one={one} />}
      />
      <ImportForm opened={adding.opened} close={adding.close} created={() => void rows.refreshHead()} />
    </AudiencePage>
  );
}

function ImportRow({ one }: { readonly one: Import }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const { counts, status, failure } = one;
  const [tone, icon] = looks[status];
  const parts = (['created', 'updated', 'skipped', 'failed'] as const)
    .filter((name) => counts[name] > 0)
    .map((name) => t(`audience:imports.count.${name}`, { count: counts[name], shown: number.format(counts[name]) }));
  return (
    <Row
      title={
        <span className={section.row}>
          <StatusBadge tone={tone} icon={icon} label={t(`audience:imports.status.${status}`)} />
          {one.file_name === null ? null : <span className={styles.fileName}>{one.file_name}</span>}
          <span className="quiet">
            <Time at={one.created_at} />
          </span>
        </span>
      }
      text={
        <>
          {status === 'in_progress' ? (
            <span className={styles.progress}>
              <Progress value={one.progress} aria-label={t('audience:imports.progress')} />
              <span className="tabular">{shortPercent(one.progress, i18n.language)}</span>
            </span>
          ) : null}
          {failure ?? (parts.length === 0 ? t('audience:imports.noneYet') : parts.join(' · '))}
        </>
      }
    >
      {counts.failed > 0 ? (
        <Button
          variant="default"
          leftSection={<Download size={14} aria-hidden />}
          onClick={() => void refusedRows(one.id)}
        >
          {t('audience:imports.refused')}
        </Button>
      ) : null}
    </Row>
  );
}

/** The server answers a CSV file, for which the request needs the header that names the team. */
async function refusedRows(id: string): Promise<void> {
  const [{ send }, { download }, { sayError }] = await Promise.all([
    import('../../api/client'),
    import('../../parts/download'),
    import('../../parts/say'),
  ]);
  try {
    const response = await send(new Request(`/contacts/imports/${id}/refused-rows`));
    if (!response.ok) throw new Error(response.statusText);
    download(await response.blob(), `refused-rows-${id}.csv`, 'text/csv;charset=utf-8');
  } catch (error) {
    sayError(error);
  }
}
