import { Skeleton, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ListChecks } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import type { WrittenEmail } from '../../logic/written-email';
import { Alert } from '../../parts/alert';
import composer from '../../parts/composer.module.css';
import { PreviewPane } from '../../parts/preview-pane';
import { EmptyState } from '../../parts/states';
import { variablesOf } from '../templates/template-preview';
import { FindingGroups } from './insights';
import { attachmentOf } from './resend';

const calmMs = 600;
/** Larger files stay out of the dry run: it is repeated with each change. */
const maxTriedBytes = 1_000_000;

interface DryRunProps {
  readonly body: object;
  readonly files: readonly File[];
  readonly isReady: boolean;
}

/** What would become of the email, asked for a moment after each change. */
export function DryRun({ body, files, isReady }: DryRunProps) {
  const { t } = useTranslation();
  const isTried = files.reduce((sum, { size }) => sum + size, 0) <= maxTriedBytes;
  const written = JSON.stringify([body, files.map(({ name, size }) => [name, size])]);
  const [asked] = useDebouncedValue(written, calmMs);
  const run = useQuery({
    queryKey: ['dry-run', asked],
    queryFn: async ({ signal }) => {
      const [given] = JSON.parse(asked) as [object];
      const attachments = isTried && files.length > 0 ? await Promise.all(files.map(attachmentOf)) : undefined;
      return answer(api.POST('/emails/dry-run', { body: { ...given, attachments } as never, signal }));
    },
    enabled: isReady && asked === written,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (!isReady)
    return <EmptyState icon={ListChecks} title={t('emails:write.checks')} text={t('emails:write.unchecked')} />;
  const { data } = run;
  return (
    <Stack gap={0} style={{ overflowY: 'auto' }} aria-busy={run.isFetching || asked !== written}>
      {run.error !== null && !run.isFetching ? (
        <Stack p={20}>
          <Alert error={run.error} />
        </Stack>
      ) : data === undefined ? (
        <Skeleton height={160} m={20} w="auto" />
      ) : (
        <>
          <Withheld recipients={data.recipients} />
          {isTried ? null : <p className="quiet">{t('emails:write.withoutFiles')}</p>}
          <FindingGroups findings={data.findings} />
        </>
      )}
    </Stack>
  );
}

/** Who would not get it, and why. */
function Withheld({ recipients }: { readonly recipients: Schema<'DryRunResponse'>['recipients'] }) {
  const { t } = useTranslation();
  return recipients
    .filter(({ would_send }) => !would_send)
    .map(({ address, withheld_reason: reason }) => (
      <p key={address} className={composer.missing} role="status">
        {t(reason?.includes('subscribed') === true ? 'emails:write.unsubscribed' : 'emails:write.suppressed', {
          address,
        })}
      </p>
    ));
}

interface WrittenPreviewProps {
  readonly email: WrittenEmail;
  readonly template: Schema<'TemplateResponse'> | undefined;
}

/** The email as it is written, or what its template makes of the values. */
export function WrittenPreview({ email, template }: WrittenPreviewProps) {
  const { t } = useTranslation();
  const { kind, subject, html, text } = email;
  const [variables] = useDebouncedValue(email.variables, calmMs);
  const isTemplate = kind === 'template';
  const rendered = useQuery({
    queryKey: ['template', template?.id, 'preview', template?.updated_at, variables],
    queryFn: () =>
      answer(
        api.POST('/templates/{idOrAlias}/preview', {
          params: { path: { idOrAlias: template?.id ?? '' } },
          body: { variables: template === undefined ? {} : variablesOf(template, variables) } as never,
        }),
      ),
    enabled: isTemplate && template !== undefined,
    placeholderData: keepPreviousData,
  });
  const own = { subject, html: kind === 'html' ? html : null, text: kind === 'html' ? null : text };
  return (
    <PreviewPane
      label={t('emails:write.preview')}
      email={isTemplate ? rendered.data && { ...rendered.data, subject: subject || rendered.data.subject } : own}
      error={isTemplate ? rendered.error : null}
      retry={() => void rendered.refetch()}
    />
  );
}
