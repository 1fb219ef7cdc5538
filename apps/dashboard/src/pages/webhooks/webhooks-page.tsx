import { Button, Flex, Modal } from '@mantine/core';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { ShieldCheck, Webhook as WebhookIcon } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { Split } from '../../detail/split';
import type { Column } from '../../list/column';
import { List } from '../../list/list';
import { usePages } from '../../list/use-pages';
import { usePathValues } from '../../parts/location';
import { useAdding } from '../../parts/use-adding';
import { Page } from '../../parts/page';
import section from '../../parts/layout.module.css';
import { EmptyState } from '../../parts/states';
import { Time } from '../../parts/time';
import { SignatureChecker } from './signature-checker';
import { WebhookForm } from './webhook-form';
import { HealthLine } from './webhook-health';
import { stateOf, WebhookState } from './webhook-state';

type Webhook = Schema<'WebhookSummaryResponse'>;

export function WebhooksPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { webhookId } = usePathValues();
  const adding = useAdding('webhooks:write', t('webhooks:add.button'));
  const [checking, setChecking] = useState(false);
  const rows = usePages<Webhook>(['webhooks'], ({ limit, after, signal }) =>
    answer(api.GET('/webhooks', { params: { query: { limit, after } }, signal })),
  );
  const columns = useMemo(
    (): Column<Webhook>[] => [
      {
        id: 'endpoint',
        label: t('webhooks:column.endpoint'),
        width: 'minmax(220px, 3fr)',
        cell: ({ endpoint }) => endpoint,
      },
      {
        id: 'state',
        label: t('webhooks:column.state'),
        width: '120px',
        cell: (webhook) => <WebhookState state={stateOf(webhook)} />,
      },
      {
        id: 'health',
        label: t('webhooks:health.title'),
        width: 'minmax(140px, 2fr)',
        cell: ({ health }) => <HealthLine health={health} />,
      },
      {
        id: 'events',
        label: t('webhooks:column.events'),
        width: 'minmax(160px, 2fr)',
        cell: ({ events }) => <span className="quiet">{events.join(', ')}</span>,
      },
      {
        id: 'created',
        label: t('webhooks:column.created'),
        width: '110px',
        align: 'end',
        cell: ({ created_at: at }) => <Time at={at} form="short" />,
      },
    ],
    [t],
  );
  return (
    <Page
      title={t('webhooks:title')}
      actions={
        webhookId !== undefined ? undefined : (
          <>
            <Button
              variant="default"
              leftSection={<ShieldCheck size={14} aria-hidden />}
              onClick={() => setChecking(true)}
            >
              {t('webhooks:check.button')}
            </Button>
            {adding.button}
          </>
        )
      }
    >
      <Split detail={webhookId === undefined ? undefined : <Outlet />}>
        <List
          label={t('webhooks:title')}
          rows={rows}
          columns={columns}
          compact={(webhook) => (
            <Flex component="span" direction="column" gap={2} miw={0}>
              <span className={section.line}>
                <span className="cut">{webhook.endpoint}</span>
                <WebhookState state={stateOf(webhook)} plain />
              </span>
              <span className="quiet cut">{webhook.events.join(', ')}</span>
            </Flex>
          )}
          openId={webhookId}
          hrefOf={({ id }) => `/app/webhooks/${id}`}
          open={({ id }) => void navigate({ to: `/app/webhooks/${id}` })}
          empty={
            <EmptyState icon={WebhookIcon} title={t('webhooks:empty.title')} text={t('webhooks:empty.text')}>
              {adding.button}
            </EmptyState>
          }
        />
      </Split>
      <WebhookForm
        opened={adding.opened}
        close={adding.close}
        title={t('webhooks:add.title')}
        action={t('webhooks:add.button')}
        save={async (values) => {
          const { id } = await answer(api.POST('/webhooks', { body: values as never }));
          rows.retry();
          void navigate({ to: `/app/webhooks/${id}` });
        }}
      />
      <Modal
        opened={checking}
        onClose={() => setChecking(false)}
        title={t('webhooks:check.title')}
        size={620}
        closeButtonProps={{ 'aria-label': t('common:close') }}
      >
        <SignatureChecker />
      </Modal>
    </Page>
  );
}
