import { Box, Button, Flex, Skeleton, Stack } from '@mantine/core';
import { Download, Info, TriangleAlert } from 'lucide-react';
import { Trans, useTranslation } from 'react-i18next';
import type { Schema } from '../../api/client';
import { CopyButton } from '../../parts/copy-button';
import { Panel } from '../../parts/panel';
import { ErrorState } from '../../parts/states';
import { Time } from '../../parts/time';
import styles from './domain-records.module.css';
import { DomainState } from './domain-state';

type Diagnosis = Schema<'DiagnosisResponse'>;
type DiagnosedRecord = Schema<'DiagnosedRecordResponse'>;
type Certificate = Schema<'TrackingCertificateResponse'>;

const providers = ['Cloudflare', 'Amazon Route 53', 'GoDaddy', 'Namecheap', 'Hetzner', 'OVHcloud', 'IONOS'];

interface DomainRecordsProps {
  readonly diagnosis: Diagnosis | undefined;
  /** Of the tracking host, if the service gets one. */
  readonly certificate: Certificate | undefined;
  readonly error: unknown;
  readonly download: () => void;
}

/** What has to be in the DNS, whether it is, and what is wrong if it is not. */
export function DomainRecords({ diagnosis, certificate, error, download }: DomainRecordsProps) {
  const { t } = useTranslation();
  if (error !== null && error !== undefined) return <ErrorState error={error} />;
  return (
    <Panel
      title={t('domains:records.title')}
      text={diagnosis === undefined ? t('domains:records.text') : <Checked diagnosis={diagnosis} />}
      aside={
        <Button
          variant="default"
          leftSection={<Download size={14} aria-hidden />}
          disabled={diagnosis?.records.some(lacksHostName)}
          onClick={download}
        >
          {t('domains:zone')}
        </Button>
      }
      flush
    >
      {diagnosis === undefined ? (
        <Stack gap={8} p={16}>
          {[1, 2, 3].map((line) => (
            <Skeleton key={line} height={76} />
          ))}
        </Stack>
      ) : (
        <>
          <ProviderSteps provider={diagnosis.dns_provider ?? undefined} isDone={diagnosis.status === 'verified'} />
          <ul className={styles.records}>
            {diagnosis.records.map((record) => (
              <RecordItem
                key={`${record.record} ${record.type} ${record.host} ${record.priority ?? ''}`}
                record={record}
                certificate={record.record === 'Tracking' ? certificate : undefined}
              />
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

function Checked({ diagnosis }: { readonly diagnosis: Diagnosis }) {
  const { t } = useTranslation();
  const { checked_at: at, next_check_at: next } = diagnosis;
  if (at === null) return <>{t('domains:records.never')}</>;
  return (
    <>
      <Trans i18nKey="domains:records.checked" components={{ time: <Time at={at} /> }} />{' '}
      {next === null ? null : <Trans i18nKey="domains:records.next" components={{ time: <Time at={next} /> }} />}
    </>
  );
}

function ProviderSteps({ provider, isDone }: { readonly provider: string | undefined; readonly isDone: boolean }) {
  const { t } = useTranslation();
  if (isDone) return null;
  const known = providers.find((name) => name.toLowerCase() === provider?.toLowerCase());
  return (
    <p className={styles.steps}>
      <Info size={15} aria-hidden />
      <span>
        {provider === undefined ? t('domains:steps.unknown') : t('domains:steps.provider', { provider })}{' '}
        {known === undefined ? t('domains:steps.any') : t(`domains:steps.${known.replaceAll(' ', '')}`)}
      </span>
    </p>
  );
}

/** The service names a host under `.invalid` while none is set (RFC 6761). */
export const lacksHostName = ({ value }: DiagnosedRecord): boolean => /\.invalid\b/.test(value);

interface RecordItemProps {
  readonly record: DiagnosedRecord;
  readonly certificate: Certificate | undefined;
}

function RecordItem({ record, certificate }: RecordItemProps) {
  const { t } = useTranslation();
  const isWrong =
    record.mistake !== null && record.status !== 'verified' && (record.required || record.found.length > 0);
  return (
    <li className={styles.record}>
      <Flex gap={8} align="center" mb={8}>
        <Box component="span" fw={600}>
          {t(`domains:kind.${record.record}`)}
        </Box>
        <span className={styles.type}>{record.type}</span>
        {record.required ? null : <span className="quiet">{t('domains:optional')}</span>}
        <Box component="span" ml="auto">
          <DomainState state={record.status} />
        </Box>
      </Flex>
      <dl className={styles.values}>
        <Value label={t('domains:field.name')} value={record.name} copy={t('domains:copyName')} />
        {lacksHostName(record) ? null : (
          <Value label={t('domains:field.value')} value={record.value} copy={t('domains:copyValue')} />
        )}
        {record.priority === undefined ? null : (
          <Value label={t('domains:field.priority')} value={String(record.priority)} copy={t('domains:copyPriority')} />
        )}
      </dl>
      {lacksHostName(record) ? (
        <p className={styles.advice}>
          <TriangleAlert size={15} aria-hidden />
          <span>{t('domains:noHostName')}</span>
        </p>
      ) : isWrong ? (
        <div className={styles.mistake}>
          <p className={styles.advice}>
            <TriangleAlert size={15} aria-hidden />
            <span>{record.advice ?? t('domains:noAdvice')}</span>
          </p>
          {record.found.length === 0 ? null : (
            <dl className={styles.compared}>
              <dt>{t('domains:found')}</dt>
              <dd>
                {record.found.map((found) => (
                  <code key={found}>{found}</code>
                ))}
              </dd>
              <dt>{t('domains:expected')}</dt>
              <dd>
                <code>{record.value}</code>
              </dd>
            </dl>
          )}
        </div>
      ) : record.advice === null ? null : (
        <p className={styles.note}>{record.advice}</p>
      )}
      {certificate === undefined ? null : <CertificateNote certificate={certificate} />}
    </li>
  );
}

/** Whether links are https, and what is missing. */
function CertificateNote({ certificate }: { readonly certificate: Certificate }) {
  const { t } = useTranslation();
  const { host, state, reason, next_try_at: next } = certificate;
  return (
    <p className={state === 'failed' ? styles.advice : styles.note}>
      {state === 'failed' ? <TriangleAlert size={15} aria-hidden /> : null}
      <span>
        {t(`domains:certificate.${state}`, { host })} {reason}{' '}
        {next === null ? null : <Trans i18nKey="domains:certificate.next" components={{ time: <Time at={next} /> }} />}
      </span>
    </p>
  );
}

function Value({ label, value, copy }: { readonly label: string; readonly value: string; readonly copy: string }) {
  return (
    <div className={styles.value}>
      <dt>{label}</dt>
      <dd>
        <code className={styles.code} tabIndex={0}>
          {value}
        </code>
        <CopyButton value={value} label={copy} />
      </dd>
    </div>
  );
}
